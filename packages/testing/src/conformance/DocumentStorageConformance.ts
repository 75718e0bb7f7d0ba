/**
 * What every `DocumentStorage` must do, seen by whoever signs and whoever sends.
 * Each case works under organisations of its own, so a suite may run against a
 * storage that is not empty.
 */
import type { ConformanceSuite } from "./Conformance.ts"
import { documentDownloadCases } from "./DocumentDownloadConformance.ts"
import { documentFilesCases } from "./DocumentFilesConformance.ts"
import { documentMaximumCases } from "./DocumentMaximumConformance.ts"
import type { FilePorts } from "./DocumentStorageSetup.ts"
import { documentUploadBindingCases } from "./DocumentUploadBindingConformance.ts"
import { documentUploadCases } from "./DocumentUploadConformance.ts"
import { documentUploadingCases } from "./DocumentUploadingConformance.ts"

/**
 * @category conformance
 * @since 0.1.0
 */
export const documentStorageConformance: ConformanceSuite<FilePorts> = {
  port: "DocumentStorage",
  cases: [...documentUploadCases, ...documentUploadBindingCases, ...documentDownloadCases, ...documentFilesCases]
}

/**
 * What a `DocumentStorage` must do beyond that when it receives uploads itself:
 * count their bytes, and find those under way. One that only signs cannot: with it
 * a file that is too large is found by the rules, which look at its size, and
 * never becomes `uploaded`.
 *
 * @category conformance
 * @since 0.1.0
 */
export const documentStorageMaximumConformance: ConformanceSuite<FilePorts> = {
  port: "DocumentStorage with a maximum",
  cases: [...documentMaximumCases, ...documentUploadingCases]
}

/**
 * Promises of every `DocumentStorage` to its callers and to clients of its addresses. Each case
 * uses its own organisations, so a suite can run on a storage with files.
 */
import type { ConformanceSuite } from "./Conformance.ts"
import { documentDownloadCases } from "./DocumentDownloadConformance.ts"
import { documentFilesCases } from "./DocumentFilesConformance.ts"
import { documentMaximumCases } from "./DocumentMaximumConformance.ts"
import type { FilePorts } from "./DocumentStorageSetup.ts"
import { documentUploadBindingCases } from "./DocumentUploadBindingConformance.ts"
import { documentUploadCases } from "./DocumentUploadConformance.ts"
import { documentUploadingCases } from "./DocumentUploadingConformance.ts"

export const documentStorageConformance: ConformanceSuite<FilePorts> = {
  port: "DocumentStorage",
  cases: [...documentUploadCases, ...documentUploadBindingCases, ...documentDownloadCases, ...documentFilesCases]
}

/**
 * Further promises of a `DocumentStorage` that receives uploads itself: it counts bytes and finds
 * running uploads. A storage that only signs addresses cannot; there, upload verification finds
 * files that are too large, and they never become `uploaded`.
 */
export const documentStorageMaximumConformance: ConformanceSuite<FilePorts> = {
  port: "DocumentStorage with a maximum",
  cases: [...documentMaximumCases, ...documentUploadingCases]
}

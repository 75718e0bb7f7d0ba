/**
 * Promises of the commands of core, which rules decide. They run on memory here, and on Postgres in
 * `adapter-postgres`: concurrent calls meet real locks there. An adapter is tested by `recordsConformance`.
 */
import type { ConformanceSuite } from "@solar-sites/testing"
import type { EventPorts } from "../../src/conformance/EventSetup.ts"
import { documentClaimCases } from "./DocumentClaimRules.ts"
import { documentCoverCases } from "./DocumentCoverRules.ts"
import { documentDeletionCases } from "./DocumentDeletionRules.ts"
import { documentEventCases } from "./DocumentEventRules.ts"
import { documentMetadataCases } from "./DocumentMetadataRules.ts"
import { documentPendingCases } from "./DocumentPendingRules.ts"
import { documentReplacementCases } from "./DocumentReplacementRules.ts"
import { documentStepCases } from "./DocumentStepRules.ts"
import { documentExpectedVersionCases, siteExpectedVersionCases } from "./ExpectedVersionRules.ts"
import { documentRepeatedInsertCases, siteRepeatedInsertCases } from "./RepeatedInsertRules.ts"
import { replacementRaceCases } from "./ReplacementRaceRules.ts"
import { siteConcurrencyCases } from "./SiteConcurrencyRules.ts"
import { siteExternalIdCases } from "./SiteExternalIdRules.ts"
import { siteUpdateCases } from "./SiteUpdateRules.ts"

const sites: ConformanceSuite<EventPorts> = {
  port: "rules of sites",
  cases: [
    ...siteRepeatedInsertCases,
    ...siteExternalIdCases,
    ...siteUpdateCases,
    ...siteExpectedVersionCases,
    ...siteConcurrencyCases
  ]
}

const documents: ConformanceSuite<EventPorts> = {
  port: "rules of documents",
  cases: [
    ...documentRepeatedInsertCases,
    ...documentStepCases,
    ...documentExpectedVersionCases,
    ...documentMetadataCases,
    ...documentReplacementCases,
    ...replacementRaceCases,
    ...documentCoverCases,
    ...documentDeletionCases,
    ...documentClaimCases,
    ...documentPendingCases,
    ...documentEventCases
  ]
}

export const ruleSuites: ReadonlyArray<ConformanceSuite<EventPorts>> = [sites, documents]

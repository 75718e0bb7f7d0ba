/**
 * Promises of every `SiteRepository`. Portfolios and organisations are part of the setup.
 */
import { siteBatchCases } from "./BatchConformance.ts"
import type { ConformanceSuite } from "./Conformance.ts"
import { siteExpectedVersionCases } from "./ExpectedVersionConformance.ts"
import { siteFailures } from "./FailureConformance.ts"
import type { RecordPorts } from "./Setup.ts"
import { siteBulkConcurrencyCases } from "./SiteBulkConcurrencyConformance.ts"
import { siteBulkCases } from "./SiteBulkConformance.ts"
import { siteDeletionCases } from "./SiteDeletionConformance.ts"
import { siteFindingCases } from "./SiteFindingConformance.ts"
import { siteIsolationCases } from "./SiteIsolationConformance.ts"
import { siteRecordsCases } from "./SiteRecordsConformance.ts"
import { siteRoundTripCases } from "./SiteRoundTripConformance.ts"
import { siteSizeCases } from "./SizeConformance.ts"

export const siteRepositoryConformance: ConformanceSuite<RecordPorts> = {
  port: "SiteRepository",
  failures: siteFailures,
  cases: [
    ...siteRecordsCases,
    ...siteDeletionCases,
    ...siteExpectedVersionCases,
    ...siteFindingCases,
    ...siteBatchCases,
    ...siteIsolationCases,
    ...siteRoundTripCases,
    ...siteBulkCases,
    ...siteBulkConcurrencyCases,
    ...siteSizeCases
  ]
}

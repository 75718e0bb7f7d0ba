/**
 * Promises of every `SiteRepository`. Portfolios and organisations are part of the setup.
 */
import { siteBatchCases } from "./BatchConformance.ts"
import type { ConformanceSuite } from "./Conformance.ts"
import { siteFailures } from "./FailureConformance.ts"
import type { ComparedPorts } from "./Reference.ts"
import { siteReferenceCases } from "./ReferenceConformance.ts"
import { siteBulkCases } from "./SiteBulkConformance.ts"
import { siteClusterCases } from "./SiteClustersConformance.ts"
import { siteFindingCases } from "./SiteFindingConformance.ts"
import { siteRoundTripCases } from "./SiteRoundTripConformance.ts"
import { siteSizeCases } from "./SizeConformance.ts"

export const siteRepositoryConformance: ConformanceSuite<ComparedPorts> = {
  port: "SiteRepository",
  failures: siteFailures,
  cases: [
    ...siteReferenceCases,
    ...siteFindingCases,
    ...siteClusterCases,
    ...siteBatchCases,
    ...siteRoundTripCases,
    ...siteBulkCases,
    ...siteSizeCases
  ]
}

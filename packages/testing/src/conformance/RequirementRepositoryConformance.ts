/**
 * Promises of every `RequirementRepository`. Organisations, portfolios, sites and documents are part
 * of the setup.
 */
import type { ConformanceSuite } from "./Conformance.ts"
import { coverageListCases } from "./CoverageListConformance.ts"
import { coverageRandomCases } from "./CoverageRandomConformance.ts"
import { coverageStateCases } from "./CoverageStateConformance.ts"
import { requirementFailures } from "./FailureConformance.ts"
import { requirementConcurrencyCases } from "./RequirementConcurrencyConformance.ts"
import { type RequirementPorts, requirementRecordsCases } from "./RequirementRecordsConformance.ts"

/**
 * @category conformance
 * @since 0.1.0
 */
export const requirementRepositoryConformance: ConformanceSuite<RequirementPorts> = {
  port: "RequirementRepository",
  failures: requirementFailures,
  cases: [
    ...requirementRecordsCases,
    ...requirementConcurrencyCases,
    ...coverageStateCases,
    ...coverageListCases,
    ...coverageRandomCases
  ]
}

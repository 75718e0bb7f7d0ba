/**
 * Promises of every `RequirementRepository`. Organisations, portfolios, sites and documents are part
 * of the setup.
 */
import type { ConformanceSuite } from "./Conformance.ts"
import { coverageListCases } from "./CoverageListConformance.ts"
import { coverageRandomCases } from "./CoverageRandomConformance.ts"
import type { CoveragePorts } from "./CoverageSetup.ts"
import { requirementFailures } from "./FailureConformance.ts"

export const requirementRepositoryConformance: ConformanceSuite<CoveragePorts> = {
  port: "RequirementRepository",
  failures: requirementFailures,
  cases: [...coverageListCases, ...coverageRandomCases]
}

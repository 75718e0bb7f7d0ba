/**
 * Promises of every `RequirementRepository`. Organisations, portfolios, sites and documents are part
 * of the setup.
 */
import type { ConformanceSuite } from "./Conformance.ts"
import { coverageRandomCases } from "./CoverageRandomConformance.ts"
import { requirementFailures } from "./FailureConformance.ts"
import type { ComparedPorts } from "./Reference.ts"
import { requirementReferenceCases } from "./ReferenceConformance.ts"

export const requirementRepositoryConformance: ConformanceSuite<ComparedPorts> = {
  port: "RequirementRepository",
  failures: requirementFailures,
  cases: [...requirementReferenceCases, ...coverageRandomCases]
}

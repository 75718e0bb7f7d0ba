/**
 * Promises of every `PortfolioRepository`. Sites and organisations are part of the setup.
 */
import { portfolioBatchCases } from "./BatchConformance.ts"
import type { ConformanceSuite } from "./Conformance.ts"
import { portfolioFailures } from "./FailureConformance.ts"
import { portfolioFindingCases } from "./FindingConformance.ts"
import { portfolioRecordsCases } from "./PortfolioRecordsConformance.ts"
import type { ComparedPorts } from "./Reference.ts"
import { portfolioReferenceCases } from "./ReferenceConformance.ts"
import { portfolioSizeCases } from "./SizeConformance.ts"

export const portfolioRepositoryConformance: ConformanceSuite<ComparedPorts> = {
  port: "PortfolioRepository",
  failures: portfolioFailures,
  cases: [
    ...portfolioReferenceCases,
    ...portfolioRecordsCases,
    ...portfolioFindingCases,
    ...portfolioBatchCases,
    ...portfolioSizeCases
  ]
}

/**
 * Promises of every `PortfolioRepository`. Sites and organisations are part of the setup.
 */
import { portfolioBatchCases } from "./BatchConformance.ts"
import type { ConformanceSuite } from "./Conformance.ts"
import { portfolioExpectedVersionCases } from "./ExpectedVersionConformance.ts"
import { portfolioFailures } from "./FailureConformance.ts"
import { portfolioFindingCases } from "./FindingConformance.ts"
import { portfolioConcurrencyCases } from "./PortfolioConcurrencyConformance.ts"
import { portfolioIsolationCases } from "./PortfolioIsolationConformance.ts"
import { portfolioListingCases } from "./PortfolioListingConformance.ts"
import { portfolioMembershipCases } from "./PortfolioMembershipConformance.ts"
import { portfolioRecordsCases } from "./PortfolioRecordsConformance.ts"
import { portfolioRequirementCases } from "./PortfolioRequirementConformance.ts"
import { requirementConcurrencyCases } from "./RequirementConcurrencyConformance.ts"
import type { RecordPorts } from "./Setup.ts"
import { portfolioSizeCases } from "./SizeConformance.ts"

export const portfolioRepositoryConformance: ConformanceSuite<RecordPorts> = {
  port: "PortfolioRepository",
  failures: portfolioFailures,
  cases: [
    ...portfolioRecordsCases,
    ...portfolioFindingCases,
    ...portfolioBatchCases,
    ...portfolioIsolationCases,
    ...portfolioExpectedVersionCases,
    ...portfolioMembershipCases,
    ...portfolioRequirementCases,
    ...requirementConcurrencyCases,
    ...portfolioListingCases,
    ...portfolioSizeCases,
    ...portfolioConcurrencyCases
  ]
}

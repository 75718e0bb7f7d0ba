/** The JSON form of requirements and coverage. */
import type { DocumentRequirements, ReplaceRequirements } from "../requirements/Requirement.ts"
import type { CoverageSummary, ListCoverage, SiteCoverage, SummariseCoverage } from "../requirements/SiteCoverage.ts"

export type PlainDocumentRequirements = typeof DocumentRequirements.Encoded

/** The whole list, at most 200 requirements. */
export type PlainReplaceRequirements = typeof ReplaceRequirements.Encoded

export type PlainSiteCoverage = typeof SiteCoverage.Encoded

export type PlainListCoverage = typeof ListCoverage.Encoded

export type PlainCoverageSummary = typeof CoverageSummary.Encoded

export type PlainSummariseCoverage = typeof SummariseCoverage.Encoded

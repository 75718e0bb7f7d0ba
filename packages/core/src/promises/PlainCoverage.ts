/**
 * The JSON form of requirements and coverage.
 *
 * @since 0.1.0
 */
import type { DocumentRequirements, ReplaceRequirements } from "../requirements/Requirement.ts"
import type { CoverageSummary, ListCoverage, SiteCoverage, SummariseCoverage } from "../requirements/SiteCoverage.ts"

/**
 * @category models
 * @since 0.1.0
 */
export type PlainDocumentRequirements = typeof DocumentRequirements.Encoded

/**
 * The whole list, at most 200 requirements.
 *
 * @category models
 * @since 0.1.0
 */
export type PlainReplaceRequirements = typeof ReplaceRequirements.Encoded

/**
 * @category models
 * @since 0.1.0
 */
export type PlainSiteCoverage = typeof SiteCoverage.Encoded

/**
 * @category models
 * @since 0.1.0
 */
export type PlainListCoverage = typeof ListCoverage.Encoded

/**
 * @category models
 * @since 0.1.0
 */
export type PlainCoverageSummary = typeof CoverageSummary.Encoded

/**
 * @category models
 * @since 0.1.0
 */
export type PlainSummariseCoverage = typeof SummariseCoverage.Encoded

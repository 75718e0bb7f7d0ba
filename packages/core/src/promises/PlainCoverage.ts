/**
 * The JSON form of requirements and coverage.
 *
 * @since 0.1.0
 */
import type { DocumentRequirements, ReplaceRequirements } from "../requirements/Requirement.ts"

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

/**
 * Status of a document and the allowed transitions (specification, section 5).
 */
import { Schema } from "effect"

/**
 * @category models
 * @since 0.1.0
 */
export const DocumentStatus = Schema.Literals(["pending", "uploaded", "failed", "approved", "completed"])
export type DocumentStatus = typeof DocumentStatus.Type

/**
 * Allowed transitions; `completed` is final. Only a new upload address leads back to `pending`.
 *
 * @category models
 * @since 0.1.0
 */
export const transitions: { readonly [From in DocumentStatus]: ReadonlyArray<DocumentStatus> } = {
  pending: ["uploaded", "failed"],
  uploaded: ["approved", "failed"],
  approved: ["completed"],
  failed: ["pending"],
  completed: []
}

/**
 * The statuses that can change to this one.
 *
 * @category conversions
 * @since 0.1.0
 */
export const statesBefore = (to: DocumentStatus): ReadonlyArray<DocumentStatus> =>
  DocumentStatus.literals.filter((from) => transitions[from].includes(to))

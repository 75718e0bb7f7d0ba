/**
 * The states of a document and the ways between them, as data (specification,
 * section 5).
 *
 * @since 0.1.0
 */
import { Schema } from "effect"

/**
 * @category models
 * @since 0.1.0
 */
export const DocumentStatus = Schema.Literals(["pending", "uploaded", "failed", "approved", "completed"])
export type DocumentStatus = typeof DocumentStatus.Type

/**
 * Where each state may lead; `completed` is final. Back to `pending` leads only
 * the issue of a new upload address.
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
 * The states from which this one can be reached.
 *
 * @category conversions
 * @since 0.1.0
 */
export const statesBefore = (to: DocumentStatus): ReadonlyArray<DocumentStatus> =>
  DocumentStatus.literals.filter((from) => transitions[from].includes(to))

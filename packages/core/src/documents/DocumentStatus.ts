/**
 * Status of a document and the allowed transitions (specification, section 5).
 */
import { Schema } from "effect"
import { documentStates } from "./DocumentStates.ts"

export const DocumentStatus = Schema.Literals(documentStates)
export type DocumentStatus = typeof DocumentStatus.Type

/** Allowed transitions; `completed` is final. Only a new upload address leads back to `pending`. */
export const transitions: { readonly [From in DocumentStatus]: ReadonlyArray<DocumentStatus> } = {
  pending: ["uploaded", "failed"],
  uploaded: ["approved", "failed"],
  approved: ["completed"],
  failed: ["pending"],
  completed: []
}

/** The statuses that can change to this one. */
export const statesBefore = (to: DocumentStatus): ReadonlyArray<DocumentStatus> =>
  DocumentStatus.literals.filter((from) => transitions[from].includes(to))

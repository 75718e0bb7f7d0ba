/**
 * The rule of changes that a caller requests and that need no look into storage: metadata, approval,
 * completion and rejection.
 */
import { type DateTime, Result } from "effect"
import type { EventOrigin } from "../events/EventOrigin.ts"
import { ValidationFailed } from "../input/ValidationFailed.ts"
import type { Decision } from "../records/Deciding.ts"
import type { Found } from "../records/Found.ts"
import type { Find } from "../records/RecordKind.ts"
import { type ExpectedVersions, isExpected, VersionMismatch } from "../versions/Version.ts"
import type { Document, DocumentId } from "./Document.ts"
import { DocumentNotFound, InvalidTransition } from "./DocumentErrors.ts"
import { documentKind } from "./DocumentKind.ts"
import { type ChangeDocumentStatus, metadataOf, validityFault } from "./DocumentMetadata.ts"
import { findsOfStep, findsOfUpdate, stepDocument, updateDocument } from "./DocumentRules.ts"
import { type DocumentStatus, transitions } from "./DocumentStatus.ts"

/** The states that a caller may ask for. `pending` is reached by a new address, and leads to `failed` by verification. */
export const callerTransitions = (from: DocumentStatus): ReadonlyArray<DocumentStatus> =>
  transitions[from].filter((to) => to !== "pending" && !(from === "pending" && to === "failed"))

/** A requested change, by a caller who expects one of the versions. */
export interface Review {
  readonly documentId: DocumentId
  readonly requested: ChangeDocumentStatus
  readonly at: DateTime.Utc
  readonly expectedVersions?: ExpectedVersions
}

/** True when the document has the requested status, with the requested reason. Metadata alone can change then. */
export const isReached = (
  { failureReason, status }: Pick<Document, "status" | "failureReason">,
  { reason, status: to }: ChangeDocumentStatus
): boolean => {
  // A reason has a meaning for rejections only.
  const rejection = to === "failed" ? (reason ?? undefined) : undefined
  return status === to && (rejection === undefined || rejection === failureReason)
}

/** The records that `reviewDocument` reads. */
export const findsOfReview = ({ documentId, requested: { status } }: Review): ReadonlyArray<Find> =>
  status === "failed" ? findsOfStep(documentId, status) : findsOfUpdate(documentId)

/** Changes metadata, and the status where a caller may ask for it. `uploaded` is asked for by verification. */
export const reviewDocument =
  ({ at, documentId, expectedVersions, requested }: Review, origin: EventOrigin) =>
  (
    found: Found
  ): Result.Result<Decision<Document>, DocumentNotFound | VersionMismatch | ValidationFailed | InvalidTransition> => {
    const record = found.byId(documentKind, documentId)?.record
    if (record === undefined) return Result.fail(new DocumentNotFound({ documentId }))
    const { status: from, version } = record
    if (!isExpected(expectedVersions, version)) return Result.fail(new VersionMismatch({ actual: version }))
    const changes = metadataOf(requested)
    const fault = validityFault(record, changes)
    if (fault !== undefined) return Result.fail(new ValidationFailed({ faults: [fault] }))
    const { reason, status: to } = requested
    if (to === undefined || isReached(record, requested))
      return updateDocument({ documentId, at, changes }, origin)(found)
    if (to === "pending" || to === "uploaded" || !callerTransitions(from).includes(to)) {
      return Result.fail(new InvalidTransition({ from, to, allowed: callerTransitions(from) }))
    }
    const failure = to === "failed" ? { failureReason: reason ?? "rejected" } : {}
    return stepDocument({ documentId, at, step: { to, changes, ...failure } }, origin)(found)
  }

/**
 * What happens when a caller says that a document has come to another state.
 */
import { DateTime, Effect } from "effect"
import { CurrentCaller } from "../caller/Caller.ts"
import type { RepositoryError } from "../persistence/RepositoryError.ts"
import { type ExpectedVersions, isExpected, VersionMismatch } from "../persistence/Version.ts"
import type { DocumentStorage } from "../storage/DocumentStorage.ts"
import { traced } from "../tracing/Traced.ts"
import { look } from "./Arrivals.ts"
import type { ChangeDocumentStatus, Document, DocumentId } from "./Document.ts"
import { type DocumentNotFound, InvalidTransition, UploadMismatch, UploadNotFound } from "./DocumentErrors.ts"
import type { DocumentRepository, DocumentStep } from "./DocumentRepository.ts"
import { type DocumentStatus, transitions } from "./DocumentStatus.ts"
import type { UploadPolicySettings } from "./UploadPolicy.ts"

// A new address leads back to pending, not a caller's word.
// And a caller says rejections only; that nothing arrived is found by looking.
const sayable = (from: DocumentStatus): ReadonlyArray<DocumentStatus> =>
  transitions[from].filter((to) => to !== "pending" && !(from === "pending" && to === "failed"))

export const makeStatusChange = (options: {
  readonly get: (documentId: DocumentId) => Effect.Effect<Document, DocumentNotFound | RepositoryError, CurrentCaller>
  readonly repository: DocumentRepository["Service"]
  readonly storage: DocumentStorage["Service"]
  readonly policy: UploadPolicySettings
}) => {
  const { get, policy, repository, storage } = options

  const stepTo = Effect.fnUntraced(function* (document: Document, to: DocumentStep["to"], reason: string | undefined) {
    if (to === "failed") return { to, failureReason: reason ?? "rejected" }
    if (to !== "uploaded") return { to }
    const arrival = yield* look(storage, policy, document)
    switch (arrival._tag) {
      case "Absent":
        return yield* new UploadNotFound({ documentId: document.id })
      case "Contradiction":
        return yield* new UploadMismatch({ documentId: document.id, reason: arrival.reason })
      case "Whole":
        return { to, sizeBytes: arrival.sizeBytes }
    }
  })

  return traced("Documents.changeStatus")(function* (
    documentId: DocumentId,
    { reason, status: to }: ChangeDocumentStatus,
    expectedVersions?: ExpectedVersions
  ) {
    const { organisationId } = yield* CurrentCaller
    const document = yield* get(documentId)
    const { status: from, version } = document
    if (!isExpected(expectedVersions, version)) return yield* new VersionMismatch({ actual: version })
    if (to === undefined) return document
    // With anything but a rejection a reason says nothing.
    const said = to === "failed" ? (reason ?? undefined) : undefined
    if (from === to && (said === undefined || said === document.failureReason)) return document
    if (to === "pending" || !sayable(from).includes(to)) {
      return yield* new InvalidTransition({ from, to, allowed: sayable(from) })
    }
    const step = yield* stepTo(document, to, said)
    return yield* repository.step(organisationId, documentId, step, { at: yield* DateTime.now, expectedVersions }).pipe(
      // Somebody else, or storage itself, has said the same in the meantime.
      Effect.catchIf(
        (error): error is InvalidTransition => error._tag === "InvalidTransition" && error.from === to,
        () => get(documentId)
      )
    )
  })
}

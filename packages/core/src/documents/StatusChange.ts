/**
 * What happens when a caller says that a document has come to another state.
 */
import { Data, DateTime, Effect } from "effect"
import type { CurrentCaller } from "../caller/Caller.ts"
import type { RepositoryError } from "../persistence/RepositoryError.ts"
import { type ExpectedVersions, isExpected, VersionMismatch } from "../persistence/Version.ts"
import { fnWithSpan } from "../tracing/FnWithSpan.ts"
import type { ChangeDocumentStatus, Document, DocumentId } from "./Document.ts"
import { type DocumentNotFound, InvalidTransition, UploadMismatch, UploadNotFound } from "./DocumentErrors.ts"
import type { DocumentStep } from "./DocumentRepository.ts"
import { type DocumentStatus, transitions } from "./DocumentStatus.ts"
import { inspect, type VerificationPorts } from "./UploadVerification.ts"

// A new address leads back to pending, not a caller's word.
// And a caller says rejections only; that nothing arrived is found by looking.
const callerTransitions = (from: DocumentStatus): ReadonlyArray<DocumentStatus> =>
  transitions[from].filter((to) => to !== "pending" && !(from === "pending" && to === "failed"))

// Each further attempt follows a change by another call.
const attempts = 5

/** Another call has changed the document since it was read. */
class Stale extends Data.TaggedError("Stale") {}

const refused = ({ status: from }: Document, to: DocumentStatus) =>
  Effect.fail(new InvalidTransition({ from, to, allowed: callerTransitions(from) }))

export const makeStatusChange = (
  ports: VerificationPorts & {
    readonly get: (documentId: DocumentId) => Effect.Effect<Document, DocumentNotFound | RepositoryError, CurrentCaller>
  }
) => {
  const { get, repository } = ports

  const stepTo = Effect.fnUntraced(function* (document: Document, to: DocumentStep["to"], reason: string | undefined) {
    if (to === "failed") return { to, failureReason: reason ?? "rejected" }
    if (to !== "uploaded") return { to }
    const arrival = yield* inspect(ports, document)
    // Only a whole file leads out of `failed` here: one that came after the document was given up.
    if (document.status === "failed" && arrival._tag !== "Whole") return yield* refused(document, to)
    switch (arrival._tag) {
      case "Absent":
        return yield* new UploadNotFound({ documentId: document.id })
      case "Contradiction":
        return yield* new UploadMismatch({ documentId: document.id, reason: arrival.reason })
      case "Whole":
        return { to, sizeBytes: arrival.sizeBytes }
    }
  })

  const change = Effect.fnUntraced(function* (
    documentId: DocumentId,
    { reason, status: to }: ChangeDocumentStatus,
    expectedVersions: ExpectedVersions
  ) {
    const document = yield* get(documentId)
    const { createdAt, organisationId, status: from, version } = document
    if (!isExpected(expectedVersions, version)) return yield* new VersionMismatch({ actual: version })
    if (to === undefined) return document
    // With anything but a rejection a reason says nothing.
    const said = to === "failed" ? (reason ?? undefined) : undefined
    if (from === to && (said === undefined || said === document.failureReason)) return document
    const isLate = from === "failed" && to === "uploaded"
    if (to === "pending" || !(isLate || callerTransitions(from).includes(to))) return yield* refused(document, to)
    const step = yield* stepTo(document, to, said)
    // What was decided holds for this version of this document only: another one may have another file, or another reason.
    const options = { at: yield* DateTime.now, expectedVersions: [version] }
    return yield* repository.step(organisationId, documentId, { ...step, createdAt }, options).pipe(
      Effect.catchTags({
        VersionMismatch: () => new Stale(),
        InvalidTransition: () => refused(document, to)
      })
    )
  })

  return fnWithSpan("Documents.changeStatus")(function* (
    documentId: DocumentId,
    said: ChangeDocumentStatus,
    expectedVersions?: ExpectedVersions
  ) {
    return yield* change(documentId, said, expectedVersions).pipe(
      Effect.retry({ times: attempts, while: ({ _tag }) => _tag === "Stale" }),
      Effect.catchTag("Stale", () =>
        Effect.flatMap(get(documentId), ({ version }) => new VersionMismatch({ actual: version }))
      )
    )
  })
}

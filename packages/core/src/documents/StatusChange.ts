/**
 * Changes of status and metadata requested by callers.
 */
import { Data, DateTime, Effect } from "effect"
import type { CurrentCaller } from "../caller/Caller.ts"
import { ValidationFailed } from "../input/ValidationFailed.ts"
import type { RepositoryError } from "../persistence/RepositoryError.ts"
import { type ExpectedVersions, isExpected, VersionMismatch } from "../persistence/Version.ts"
import { fnWithSpan } from "../tracing/FnWithSpan.ts"
import type { Document, DocumentId } from "./Document.ts"
import type { DocumentStep } from "./DocumentCommands.ts"
import {
  AlreadyReplaced,
  type DocumentNotFound,
  InvalidFilename,
  InvalidTransition,
  UploadMismatch,
  UploadNotFound
} from "./DocumentErrors.ts"
import { type ChangeDocumentStatus, type DocumentChanges, metadataOf, validityFault } from "./DocumentMetadata.ts"
import { type DocumentStatus, transitions } from "./DocumentStatus.ts"
import { filenameRule, isFilename } from "./FilePolicy.ts"
import { inspect, type VerificationPorts } from "./UploadVerification.ts"

// Excluded: `pending` is reached by a new address, and `pending` to `failed` by verification.
const callerTransitions = (from: DocumentStatus): ReadonlyArray<DocumentStatus> =>
  transitions[from].filter((to) => to !== "pending" && !(from === "pending" && to === "failed"))

/** Another call has changed the document since it was read. The change is repeated. */
class Stale extends Data.TaggedError("Stale") {}

const refused = ({ status: from }: Document, to: DocumentStatus) =>
  Effect.fail(new InvalidTransition({ from, to, allowed: callerTransitions(from) }))

export const makeStatusChange = (
  ports: VerificationPorts & {
    readonly get: (documentId: DocumentId) => Effect.Effect<Document, DocumentNotFound | RepositoryError, CurrentCaller>
  }
) => {
  const { commands, get } = ports

  const stepTo = Effect.fnUntraced(function* (document: Document, to: DocumentStep["to"], reason: string | undefined) {
    if (to === "failed") return { to, failureReason: reason ?? "rejected" }
    if (to !== "uploaded") return { to }
    const found = yield* inspect(ports, document)
    // Only a valid file that arrived late leads out of `failed`.
    if (document.status === "failed" && found._tag !== "Valid") return yield* refused(document, to)
    switch (found._tag) {
      case "Absent":
        return yield* new UploadNotFound({ documentId: document.id })
      case "Mismatch":
        return yield* new UploadMismatch({ documentId: document.id, reason: found.reason })
      case "Valid":
        return { to, sizeBytes: found.sizeBytes }
    }
  })

  const updated = Effect.fnUntraced(function* (document: Document, changes: DocumentChanges) {
    if (Object.keys(changes).length === 0) return document
    const { id, organisationId, version } = document
    return yield* commands
      .update(organisationId, id, changes, { at: yield* DateTime.now, expectedVersions: [version] })
      .pipe(Effect.catchTag("VersionMismatch", () => new Stale()))
  })

  const change = Effect.fnUntraced(function* (
    documentId: DocumentId,
    requested: ChangeDocumentStatus,
    expectedVersions: ExpectedVersions
  ) {
    const { reason, status: to } = requested
    const changes = metadataOf(requested)
    const document = yield* get(documentId)
    const { createdAt, organisationId, status: from, version } = document
    if (!isExpected(expectedVersions, version)) return yield* new VersionMismatch({ actual: version })
    // The order of the days holds for this version: another call can have changed the other day.
    const fault = validityFault(document, changes)
    if (fault !== undefined) return yield* new ValidationFailed({ faults: [fault] })
    if (to === undefined) return yield* updated(document, changes)
    // A reason has a meaning for rejections only.
    const rejection = to === "failed" ? (reason ?? undefined) : undefined
    if (from === to && (rejection === undefined || rejection === document.failureReason)) {
      return yield* updated(document, changes)
    }
    if (to === "uploaded" && from === "failed" && document.failureReason === "already_replaced") {
      return yield* new AlreadyReplaced({ documentId })
    }
    const isLate = from === "failed" && to === "uploaded"
    if (to === "pending" || !(isLate || callerTransitions(from).includes(to))) return yield* refused(document, to)
    const step = yield* stepTo(document, to, rejection)
    // The decision holds for this version of this document only: another one can have another file
    // or reason.
    const options = { at: yield* DateTime.now, expectedVersions: [version] }
    const stepped = yield* commands.step(organisationId, documentId, { ...step, changes, createdAt }, options).pipe(
      Effect.catchTags({
        VersionMismatch: () => new Stale(),
        InvalidTransition: () => refused(document, to)
      })
    )
    return stepped.status === to ? stepped : yield* new AlreadyReplaced({ documentId })
  })

  return fnWithSpan("Documents.changeStatus")(function* (
    documentId: DocumentId,
    requested: ChangeDocumentStatus,
    expectedVersions?: ExpectedVersions
  ) {
    const { filename } = requested
    if (filename !== undefined && !isFilename(filename)) {
      return yield* new InvalidFilename({
        faults: [{ pointer: "/filename", code: "invalid_filename", detail: filenameRule }]
      })
    }
    return yield* change(documentId, requested, expectedVersions).pipe(
      Effect.retry({ while: ({ _tag }) => _tag === "Stale" }),
      Effect.catchTag("Stale", Effect.die)
    )
  })
}

/**
 * Changes of status and metadata requested by callers.
 */
import { Data, DateTime, Effect } from "effect"
import { CurrentCaller } from "../caller/Caller.ts"
import { ValidationFailed } from "../input/ValidationFailed.ts"
import type { RepositoryError } from "../repositories/RepositoryError.ts"
import { fnWithSpan } from "../tracing/FnWithSpan.ts"
import { type ExpectedVersions, isExpected, VersionMismatch } from "../versions/Version.ts"
import type { Document, DocumentId } from "./Document.ts"
import {
  AlreadyReplaced,
  type DocumentNotFound,
  InvalidFilename,
  InvalidTransition,
  UploadMismatch,
  UploadNotFound
} from "./DocumentErrors.ts"
import { type ChangeDocumentStatus, metadataOf, validityFault } from "./DocumentMetadata.ts"
import { filenameRule, isFilename } from "./FilePolicy.ts"
import { callerTransitions, isReached } from "./ReviewRules.ts"
import { inspect, type VerificationPorts } from "./UploadVerification.ts"

/** Another call has changed the document since it was read. The change is repeated. */
class Stale extends Data.TaggedError("Stale") {}

const refused = ({ status: from }: Document) =>
  Effect.fail(new InvalidTransition({ from, to: "uploaded", allowed: callerTransitions(from) }))

export const makeStatusChange = (
  ports: VerificationPorts & {
    readonly get: (documentId: DocumentId) => Effect.Effect<Document, DocumentNotFound | RepositoryError, CurrentCaller>
  }
) => {
  const { commands, get } = ports

  const storedSize = Effect.fnUntraced(function* (document: Document) {
    const found = yield* inspect(ports, document)
    // Only a valid file that arrived late leads out of `failed`.
    if (document.status === "failed" && found._tag !== "Valid") return yield* refused(document)
    switch (found._tag) {
      case "Absent":
        return yield* new UploadNotFound({ documentId: document.id })
      case "Mismatch":
        return yield* new UploadMismatch({ documentId: document.id, reason: found.reason })
      case "Valid":
        return found.sizeBytes
    }
  })

  /** Changes the status to `uploaded` once the service itself has seen the file. */
  const arrive = Effect.fnUntraced(function* (
    documentId: DocumentId,
    requested: ChangeDocumentStatus,
    expectedVersions: ExpectedVersions
  ) {
    const changes = metadataOf(requested)
    const document = yield* get(documentId)
    const { createdAt, organisationId, status: from, version } = document
    if (!isExpected(expectedVersions, version)) return yield* new VersionMismatch({ actual: version })
    // The order of the days holds for this version: another call can have changed the other day.
    const fault = validityFault(document, changes)
    if (fault !== undefined) return yield* new ValidationFailed({ faults: [fault] })
    // The decision holds for this version of this document only: another one can have another file.
    const options = { at: yield* DateTime.now, expectedVersions: [version] }
    if (isReached(document, requested)) {
      return yield* commands
        .update(organisationId, documentId, changes, options)
        .pipe(Effect.catchTag("VersionMismatch", () => new Stale()))
    }
    if (from === "failed" && document.failureReason === "already_replaced") {
      return yield* new AlreadyReplaced({ documentId })
    }
    if (from !== "failed" && !callerTransitions(from).includes("uploaded")) return yield* refused(document)
    const step = { to: "uploaded", sizeBytes: yield* storedSize(document), changes, createdAt } as const
    const stepped = yield* commands.step(organisationId, documentId, step, options).pipe(
      Effect.catchTags({
        VersionMismatch: () => new Stale(),
        InvalidTransition: () => refused(document)
      })
    )
    return stepped.status === "uploaded" ? stepped : yield* new AlreadyReplaced({ documentId })
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
    if (requested.status !== "uploaded") {
      const { organisationId } = yield* CurrentCaller
      return yield* commands.review(organisationId, documentId, requested, {
        at: yield* DateTime.now,
        expectedVersions
      })
    }
    return yield* arrive(documentId, requested, expectedVersions).pipe(
      Effect.retry({ while: ({ _tag }) => _tag === "Stale" }),
      Effect.catchTag("Stale", Effect.die)
    )
  })
}

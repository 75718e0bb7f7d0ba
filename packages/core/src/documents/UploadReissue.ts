/**
 * Issues the address of a document again.
 *
 * @since 0.1.0
 */
import { DateTime, Effect } from "effect"
import { CurrentCaller } from "../caller/Caller.ts"
import type { RepositoryError } from "../persistence/RepositoryError.ts"
import { traced } from "../tracing/Traced.ts"
import type { Document, DocumentId } from "./Document.ts"
import type { DocumentNotFound } from "./DocumentErrors.ts"
import { deletingFirst } from "./FileDeletion.ts"
import { addressOf, sign, validityFrom } from "./UploadIssue.ts"
import { isAwaited, resolve, type VerificationPorts } from "./UploadVerification.ts"

export const makeReissue = (
  ports: VerificationPorts & {
    readonly get: (documentId: DocumentId) => Effect.Effect<Document, DocumentNotFound | RepositoryError, CurrentCaller>
  }
) => {
  const { get, policy, repository, storage } = ports

  return traced("Documents.reissueUpload")(function* (documentId: DocumentId) {
    const caller = yield* CurrentCaller
    const { organisationId } = caller
    const document = yield* get(documentId)
    if (isAwaited(document)) yield* resolve(ports, document)
    const { reopened, valid } = yield* deletingFirst(ports, organisationId, [document.path], (claimedUntil) =>
      Effect.gen(function* () {
        const at = yield* DateTime.now
        const valid = validityFrom(at)
        const options = { at, addressExpiresAt: valid.until, claimedUntil }
        return { reopened: yield* repository.reopen(organisationId, documentId, options), valid }
      })
    )
    const signed = yield* sign(storage, policy, caller, [reopened], valid)
    const [uploadUrl] = signed.map((upload) => addressOf(upload, valid))
    if (uploadUrl === undefined) return yield* Effect.die(new Error("The storage signed nothing."))
    return { filename: reopened.filename, success: true as const, uploadUrl, documentId }
  })
}

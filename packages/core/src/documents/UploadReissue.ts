/**
 * Issues a new upload address for an existing document.
 */
import { DateTime, Effect } from "effect"
import { CurrentCaller } from "../caller/Caller.ts"
import type { RepositoryError } from "../persistence/RepositoryError.ts"
import { fnWithSpan } from "../tracing/FnWithSpan.ts"
import type { Document, DocumentId } from "./Document.ts"
import type { DocumentNotFound } from "./DocumentErrors.ts"
import { retryAfterDeleting } from "./FileDeletion.ts"
import { signUpload, validityFrom } from "./UploadSigning.ts"
import { canReceiveFile, resolve, type VerificationPorts } from "./UploadVerification.ts"

export const makeReissue = (
  ports: VerificationPorts & {
    readonly get: (documentId: DocumentId) => Effect.Effect<Document, DocumentNotFound | RepositoryError, CurrentCaller>
  }
) => {
  const { get, policy, repository, storage } = ports

  return fnWithSpan("Documents.reissueUpload")(function* (documentId: DocumentId) {
    const caller = yield* CurrentCaller
    const { organisationId } = caller
    const document = yield* get(documentId)
    if (canReceiveFile(document)) yield* resolve(ports, document)
    const { reopened, valid } = yield* retryAfterDeleting(ports, organisationId, [document.path], (claims) =>
      Effect.gen(function* () {
        const at = yield* DateTime.now
        const valid = validityFrom(at)
        const options = { at, addressExpiresAt: valid.until, claimedUntil: claims?.until }
        return { reopened: yield* repository.reopen(organisationId, documentId, options), valid }
      })
    )
    const uploadUrl = yield* signUpload(storage, policy, caller, reopened, valid)
    return { filename: reopened.filename, success: true as const, uploadUrl, documentId }
  })
}

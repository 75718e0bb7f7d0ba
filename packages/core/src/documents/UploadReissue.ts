/**
 * Issues a new upload address for an existing document.
 */
import { DateTime, Effect } from "effect"
import { CurrentCaller } from "../caller/Caller.ts"
import type { RepositoryError } from "../repositories/RepositoryError.ts"
import { fnWithSpan } from "../tracing/FnWithSpan.ts"
import type { Document, DocumentId } from "./Document.ts"
import { type DocumentNotFound, InvalidTransition } from "./DocumentErrors.ts"
import { transitions } from "./DocumentStatus.ts"
import { retryAfterDeleting } from "./FileDeletion.ts"
import { signUpload, validityFrom } from "./UploadSigning.ts"
import { canReceiveFile, inspect, resolve, type VerificationPorts } from "./UploadVerification.ts"

export const makeReissue = (
  ports: VerificationPorts & {
    readonly get: (documentId: DocumentId) => Effect.Effect<Document, DocumentNotFound | RepositoryError, CurrentCaller>
  }
) => {
  const { commands, get, policy, storage } = ports

  const requireNoFile = Effect.fnUntraced(function* (document: Document) {
    const { status: from } = document
    if (from === "pending" && (yield* inspect(ports, document))._tag === "Absent") return
    return yield* new InvalidTransition({ from, to: "pending", allowed: transitions[from] })
  })

  return fnWithSpan("Documents.reissueUpload")(function* (
    documentId: DocumentId,
    { isRepetition = false }: { readonly isRepetition?: boolean } = {}
  ) {
    const caller = yield* CurrentCaller
    const { organisationId } = caller
    const document = yield* get(documentId)
    if (isRepetition) yield* requireNoFile(document)
    else if (canReceiveFile(document)) yield* resolve(ports, document)
    const { reopened, valid } = yield* retryAfterDeleting(ports, organisationId, [document.path], (claims) =>
      Effect.gen(function* () {
        const at = yield* DateTime.now
        const valid = validityFrom(at)
        const options = { at, addressExpiresAt: valid.until, claimedUntil: claims?.until, isRepetition }
        return { reopened: yield* commands.reopen(organisationId, documentId, options), valid }
      })
    )
    const uploadUrl = yield* signUpload(storage, policy, caller, reopened, valid)
    return { filename: reopened.filename, success: true as const, uploadUrl, documentId }
  })
}

/**
 * Issues upload addresses, and stores one pending document per accepted file.
 */
import { DateTime, Effect, Equal, Option, Result } from "effect"
import { type Caller, CurrentCaller } from "../caller/Caller.ts"
import { type StorageError, storageWarning } from "../storage/StorageError.ts"
import { fnWithSpan } from "../tracing/FnWithSpan.ts"
import type { Document } from "./Document.ts"
import { OmRecordNotFound } from "./DocumentErrors.ts"
import { retryAfterDeleting } from "./FileDeletion.ts"
import type { OmRecordLookUp } from "./OmRecordDirectory.ts"
import { checkFiles, omRecordIdOf } from "./UploadCheck.ts"
import type { makeReissue } from "./UploadReissue.ts"
import type { IssuedUploads, IssueHostUploads } from "./UploadRequest.ts"
import { signUpload, signUploads, toUploadAddress, validityFrom } from "./UploadSigning.ts"
import type { VerificationPorts } from "./UploadVerification.ts"

const warnUnsigned = storageWarning("signing of upload addresses failed")
const warnNotReissued = storageWarning("reissue of upload addresses failed")
const warnNotDeleted = storageWarning("deletion of files of deleted documents failed")

export const makeIssue = ({
  nextId,
  omRecords,
  reissueUpload,
  ...ports
}: VerificationPorts & {
  readonly nextId: Effect.Effect<string>
  readonly omRecords: OmRecordLookUp
  readonly reissueUpload: ReturnType<typeof makeReissue>
}) => {
  const { commands, policy, storage } = ports

  /**
   * The address of the first response, for a document that has its file. The stored document does not hold
   * the end of a later one, which could bring a file after the document and its file were deleted.
   */
  const firstAddress = (caller: Caller, document: Document) => {
    const valid = validityFrom(document.createdAt)
    return Effect.map(signUpload(storage, policy, caller, document, valid), (uploadUrl) => ({ uploadUrl }))
  }

  return fnWithSpan("Documents.issueUploads")(function* (input: IssueHostUploads) {
    const caller = yield* CurrentCaller
    const { organisationId } = caller
    const omRecordId = omRecordIdOf(input)
    const now = yield* DateTime.now
    const valid = validityFrom(now)
    const files = yield* checkFiles(ports, caller, input, now, nextId)
    const documents = files.flatMap(({ document }) => (document === undefined ? [] : [document]))
    // Sign first: a file without an address must have no document.
    const signed = yield* signUploads(storage, policy, caller, documents, valid).pipe(
      Effect.tapError(warnUnsigned),
      Effect.option
    )
    const insertable = Option.isSome(signed) ? documents : []
    if (omRecordId !== null && !(yield* omRecords.exists(organisationId, input.siteId, omRecordId))) {
      // A missing site is refused before a missing record.
      yield* commands
        .insertMany(organisationId, input.siteId, [], valid.until)
        .pipe(Effect.catchTag("FileNotDeleted", Effect.die))
      return yield* new OmRecordNotFound({ omRecordId })
    }
    // A path is listed for deletion when an earlier run of the same request created its
    // document and the document was deleted since.
    const paths = insertable.map(({ path }) => path)
    const stored = yield* retryAfterDeleting(ports, organisationId, paths, (claims) =>
      commands.insertMany(organisationId, input.siteId, insertable, valid.until, claims)
    ).pipe(Effect.catchTag("StorageError", (error) => Effect.as(warnNotDeleted(error), [])))
    const addresses = new Map(
      stored.length === 0
        ? []
        : Option.getOrElse(signed, () => []).map((upload, index) => [
            documents[index]?.id,
            toUploadAddress(upload, valid)
          ])
    )
    let storageFailure: StorageError | undefined
    for (const document of stored) {
      // Documents stored by an earlier run of the same request get a new address.
      if (document.version === 1 && Equal.equals(document.createdAt, now)) continue
      const reissued = yield* reissueUpload(document.id, { isRepetition: true }).pipe(
        Effect.catchTag("InvalidTransition", () => reissueUpload(document.id)),
        Effect.catchTag("InvalidTransition", () => firstAddress(caller, document)),
        Effect.result
      )
      if (Result.isSuccess(reissued)) addresses.set(document.id, reissued.success.uploadUrl)
      else if (reissued.failure._tag === "RepositoryError" || reissued.failure._tag === "TooManyPending") {
        return yield* reissued.failure
      } else {
        // The document accepts no file.
        addresses.delete(document.id)
        if (reissued.failure._tag === "StorageError") storageFailure ??= reissued.failure
      }
    }
    if (storageFailure !== undefined) yield* warnNotReissued(storageFailure)
    const results = files.map(({ document, filename, refusal }, index): IssuedUploads["results"][number] => {
      const uploadUrl = document && addresses.get(document.id)
      if (document && uploadUrl) return { filename, success: true, uploadUrl, documentId: document.id }
      const detail = "the storage cannot take files at the moment; try again"
      return { index, filename, success: false, error: refusal ?? { code: "storage_unavailable", detail } }
    })
    const successful = results.filter(({ success }) => success).length
    return { results, summary: { total: files.length, successful, failed: files.length - successful } }
  })
}

/**
 * Rule service for documents (specification, section 5).
 */
import { Context, DateTime, Effect, Equal, Layer, Option, Result } from "effect"
import { CurrentCaller } from "../caller/Caller.ts"
import type { ValidationFailed } from "../input/ValidationFailed.ts"
import { nextIds } from "../persistence/IdGenerator.ts"
import { listPages } from "../persistence/List.ts"
import type { List } from "../persistence/Page.ts"
import type { RepositoryError } from "../persistence/RepositoryError.ts"
import type { ExpectedVersions, VersionMismatch } from "../persistence/Version.ts"
import type { SiteNotFound } from "../sites/SiteErrors.ts"
import { DocumentStorage } from "../storage/DocumentStorage.ts"
import { type StorageError, storageWarning } from "../storage/StorageError.ts"
import { parseStorageKey } from "../storage/StorageKey.ts"
import { fnWithSpan } from "../tracing/FnWithSpan.ts"
import {
  type ChangeDocumentStatus,
  type Document,
  DocumentId,
  type DownloadAddress,
  type ListDocuments
} from "./Document.ts"
import {
  DocumentNotFound,
  type InvalidTransition,
  OmRecordNotFound,
  type TooManyPending,
  type UploadMismatch,
  UploadNotFound
} from "./DocumentErrors.ts"
import { DocumentRepository } from "./DocumentRepository.ts"
import { retryAfterDeleting } from "./FileDeletion.ts"
import { OmRecordDirectory } from "./OmRecordDirectory.ts"
import { makeStatusChange } from "./StatusChange.ts"
import { checkFiles, omRecordIdOf, signUploads, toUploadAddress, validityFrom } from "./UploadIssue.ts"
import { downloadAddressLife, UploadPolicy } from "./UploadPolicy.ts"
import { makeReissue } from "./UploadReissue.ts"
import type { IssuedUpload, IssuedUploads, IssueHostUploads } from "./UploadRequest.ts"
import { canReceiveFile, resolve } from "./UploadVerification.ts"

type Failure = RepositoryError | StorageError

const warnUnsigned = storageWarning("signing of upload addresses failed")
const warnNotReissued = storageWarning("reissue of upload addresses failed")
const warnNotDeleted = storageWarning("deletion of files of deleted documents failed")

/**
 * Works in the organisation of the caller, except `objectArrived`, which reports events of the
 * storage.
 *
 * @category services
 * @since 0.1.0
 */
export class Documents extends Context.Service<
  Documents,
  {
    /**
     * Issues addresses for 1–20 files of one site. When the call returns, a pending document exists
     * for each file that the upload policy accepts. Refused files have an error in their result and
     * no document.
     */
    readonly issueUploads: (
      input: IssueHostUploads
    ) => Effect.Effect<IssuedUploads, SiteNotFound | OmRecordNotFound | TooManyPending | RepositoryError, CurrentCaller>

    /** Issues a new address for a pending or failed document. */
    readonly reissueUpload: (
      documentId: DocumentId
    ) => Effect.Effect<IssuedUpload, DocumentNotFound | InvalidTransition | TooManyPending | Failure, CurrentCaller>

    readonly get: (documentId: DocumentId) => Effect.Effect<Document, DocumentNotFound | RepositoryError, CurrentCaller>

    /** Oldest first; complete without `limit`. */
    readonly list: (
      query?: ListDocuments
    ) => Effect.Effect<List<Document>, ValidationFailed | RepositoryError, CurrentCaller>

    /**
     * Changes the status: `uploaded` (verified in storage), `approved`, `completed`, or `failed`
     * with a reason (rejected). The current status is accepted and changes nothing.
     */
    readonly changeStatus: (
      documentId: DocumentId,
      change: ChangeDocumentStatus,
      expectedVersions?: ExpectedVersions
    ) => Effect.Effect<
      Document,
      DocumentNotFound | VersionMismatch | InvalidTransition | UploadNotFound | UploadMismatch | Failure,
      CurrentCaller
    >

    /**
     * Signs a download as an attachment with the original name, valid for five minutes. Requires
     * that the file has arrived.
     */
    readonly downloadUrl: (
      documentId: DocumentId
    ) => Effect.Effect<DownloadAddress, DocumentNotFound | UploadNotFound | Failure, CurrentCaller>

    /** Deletes a document in any status. Its file is deleted soon after. */
    readonly delete: (
      documentId: DocumentId,
      expectedVersions?: ExpectedVersions
    ) => Effect.Effect<void, DocumentNotFound | VersionMismatch | RepositoryError, CurrentCaller>

    /** Reports that a file has arrived at a path. Repeated, late and unknown paths are allowed. */
    readonly objectArrived: (path: string) => Effect.Effect<void, Failure>
  }
>()("@solar-sites/core/Documents") {
  static readonly layer: Layer.Layer<Documents, never, DocumentRepository | DocumentStorage> = Layer.effect(
    Documents,
    Effect.gen(function* () {
      const repository = yield* DocumentRepository
      const storage = yield* DocumentStorage
      const omRecords = yield* OmRecordDirectory
      const policy = yield* UploadPolicy
      const ports = { repository, storage, policy }
      const nextId = yield* nextIds

      const get = fnWithSpan("Documents.get")(function* (documentId: DocumentId) {
        const { organisationId } = yield* CurrentCaller
        const found = yield* repository.findById(organisationId, documentId)
        if (Option.isNone(found)) return yield* new DocumentNotFound({ documentId })
        return found.value
      })

      const reissueUpload = makeReissue({ get, ...ports })

      const issueUploads = fnWithSpan("Documents.issueUploads")(function* (input: IssueHostUploads) {
        const caller = yield* CurrentCaller
        const { organisationId } = caller
        const omRecordId = omRecordIdOf(input)
        const now = yield* DateTime.now
        const valid = validityFrom(now)
        const files = yield* checkFiles(caller, policy, input, now, nextId)
        const documents = files.flatMap(({ document }) => (document === undefined ? [] : [document]))
        // Sign first: a file without an address must have no document.
        const signed = yield* signUploads(storage, policy, caller, documents, valid).pipe(
          Effect.tapError(warnUnsigned),
          Effect.option
        )
        const insertable = Option.isSome(signed) ? documents : []
        if (omRecordId !== null && !(yield* omRecords.exists(organisationId, input.siteId, omRecordId))) {
          // A missing site is refused before a missing record.
          yield* repository
            .insertMany(organisationId, input.siteId, [], valid.until)
            .pipe(Effect.catchTag("FileNotDeleted", Effect.die))
          return yield* new OmRecordNotFound({ omRecordId })
        }
        // A path is listed for deletion when an earlier run of the same request created its
        // document and the document was deleted since.
        const paths = insertable.map(({ path }) => path)
        const stored = yield* retryAfterDeleting(ports, organisationId, paths, (claimedUntil) =>
          repository.insertMany(organisationId, input.siteId, insertable, valid.until, claimedUntil)
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
          const reissued = yield* Effect.result(reissueUpload(document.id))
          if (Result.isSuccess(reissued)) addresses.set(document.id, reissued.success.uploadUrl)
          else if (reissued.failure._tag === "RepositoryError" || reissued.failure._tag === "TooManyPending") {
            return yield* reissued.failure
          } else if (reissued.failure._tag !== "InvalidTransition") {
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

      const list = fnWithSpan("Documents.list")(function* (query: ListDocuments = {}) {
        const { organisationId } = yield* CurrentCaller
        return yield* listPages("documents", query, (page) => repository.list(organisationId, query, page))
      })

      const downloadUrl = fnWithSpan("Documents.downloadUrl")(function* (documentId: DocumentId) {
        const { organisationId } = yield* CurrentCaller
        const { filename, mimeType, path: key, status } = yield* get(documentId)
        if (status === "pending" || status === "failed") return yield* new UploadNotFound({ documentId })
        const from = yield* DateTime.now
        const expiresAt = DateTime.addDuration(from, downloadAddressLife)
        const url = yield* storage.signDownload(organisationId, { key, mimeType, filename }, { from, until: expiresAt })
        return { url, expiresAt }
      })

      const remove = fnWithSpan("Documents.delete")(function* (
        documentId: DocumentId,
        expectedVersions?: ExpectedVersions
      ) {
        const { organisationId } = yield* CurrentCaller
        yield* repository.delete(organisationId, documentId, { at: yield* DateTime.now, expectedVersions })
      })

      const objectArrived = fnWithSpan("Documents.objectArrived")(function* (path: string) {
        const key = parseStorageKey(path)
        if (Option.isNone(key)) return
        const { documentId, organisationId } = key.value
        const document = yield* repository.findById(organisationId, DocumentId.make(documentId))
        if (Option.isNone(document) || !canReceiveFile(document.value) || document.value.path !== path) return
        yield* resolve(ports, document.value)
      })

      return Documents.of({
        issueUploads,
        reissueUpload,
        get,
        list,
        changeStatus: makeStatusChange({ get, ...ports }),
        downloadUrl,
        delete: remove,
        objectArrived
      })
    })
  )
}

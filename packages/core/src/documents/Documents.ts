/**
 * Rule service for documents (specification, section 5).
 */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { type Guarded, guarded } from "../caller/AccessGuard.ts"
import { CurrentCaller } from "../caller/Caller.ts"
import { nextIds } from "../ids/IdGenerator.ts"
import type { ValidationFailed } from "../input/ValidationFailed.ts"
import { listPages } from "../lists/List.ts"
import type { List } from "../lists/Page.ts"
import type { Records } from "../records/Records.ts"
import type { RepositoryError } from "../repositories/RepositoryError.ts"
import type { SiteNotFound } from "../sites/SiteErrors.ts"
import { DocumentStorage } from "../storage/DocumentStorage.ts"
import type { StorageError } from "../storage/StorageError.ts"
import { parseStorageKey } from "../storage/StorageKey.ts"
import { fnWithSpan } from "../tracing/FnWithSpan.ts"
import type { ExpectedVersions, VersionMismatch } from "../versions/Version.ts"
import { type Document, DocumentId, type DownloadAddress, type ListDocuments, type ListRevisions } from "./Document.ts"
import {
  type AlreadyReplaced,
  DocumentNotFound,
  type InvalidFilename,
  type InvalidTransition,
  type OmRecordNotFound,
  type TooManyPending,
  type UploadMismatch,
  UploadNotFound
} from "./DocumentErrors.ts"
import type { ChangeDocumentStatus } from "./DocumentMetadata.ts"
import { documentOperations } from "./DocumentOperations.ts"
import { documentRecords } from "./DocumentRecords.ts"
import { DocumentRepository, documentSortKeys } from "./DocumentRepository.ts"
import { OmRecordDirectory } from "./OmRecordDirectory.ts"
import { makeStatusChange } from "./StatusChange.ts"
import { makeIssue } from "./UploadIssue.ts"
import { downloadAddressLife, UploadPolicy } from "./UploadPolicy.ts"
import { makeReissue } from "./UploadReissue.ts"
import type { IssuedUpload, IssuedUploads, IssueHostUploads } from "./UploadRequest.ts"
import { canReceiveFile, resolve } from "./UploadVerification.ts"

type Failure = RepositoryError | StorageError

/**
 * Works in the organisation of the caller, except `objectArrived`, which reports events of the
 * storage.
 */
export class Documents extends Context.Service<
  Documents,
  Guarded<{
    /**
     * Issues addresses for 1–20 files of one site. When the call returns, a pending document exists
     * for each file that the upload policy accepts. Refused files have an error in their result and
     * no document.
     */
    readonly issueUploads: (
      input: IssueHostUploads
    ) => Effect.Effect<IssuedUploads, SiteNotFound | OmRecordNotFound | TooManyPending | RepositoryError, CurrentCaller>

    /**
     * Issues a new address for a pending or failed document. With `isRepetition`, for the response of a
     * request that has issued one before: only for a pending document without a file, and without an
     * event.
     */
    readonly reissueUpload: (
      documentId: DocumentId,
      options?: { readonly isRepetition?: boolean }
    ) => Effect.Effect<IssuedUpload, DocumentNotFound | InvalidTransition | TooManyPending | Failure, CurrentCaller>

    readonly get: (documentId: DocumentId) => Effect.Effect<Document, DocumentNotFound | RepositoryError, CurrentCaller>

    /** Oldest first; complete without `limit`. */
    readonly list: (
      query?: ListDocuments
    ) => Effect.Effect<List<Document>, ValidationFailed | RepositoryError, CurrentCaller>

    /** The chain of revisions with this document, newest first; complete without `limit`. */
    readonly listRevisions: (
      documentId: DocumentId,
      query?: ListRevisions
    ) => Effect.Effect<List<Document>, ValidationFailed | DocumentNotFound | RepositoryError, CurrentCaller>

    /**
     * Changes the status: `uploaded` (verified in storage), `approved`, `completed`, or `failed`
     * with a reason (rejected). Sets metadata in the same step, or alone in any status. Values that
     * are stored already change nothing.
     */
    readonly changeStatus: (
      documentId: DocumentId,
      change: ChangeDocumentStatus,
      expectedVersions?: ExpectedVersions
    ) => Effect.Effect<
      Document,
      | ValidationFailed
      | InvalidFilename
      | DocumentNotFound
      | VersionMismatch
      | InvalidTransition
      | UploadNotFound
      | UploadMismatch
      | AlreadyReplaced
      | Failure,
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
  }>
>()("@solar-sites/core/Documents") {
  static readonly layer: Layer.Layer<Documents, never, Records | DocumentRepository | DocumentStorage> = Layer.effect(
    Documents,
    Effect.gen(function* () {
      const commands = yield* documentRecords
      const repository = yield* DocumentRepository
      const storage = yield* DocumentStorage
      const omRecords = yield* OmRecordDirectory
      const policy = yield* UploadPolicy
      const ports = { commands, storage, policy }
      const nextId = yield* nextIds

      const get = fnWithSpan("Documents.get")(function* (documentId: DocumentId) {
        const { organisationId } = yield* CurrentCaller
        const found = yield* commands.findById(organisationId, documentId)
        if (Option.isNone(found)) return yield* new DocumentNotFound({ documentId })
        return found.value
      })

      const reissueUpload = makeReissue({ get, ...ports })

      const issueUploads = makeIssue({ reissueUpload, omRecords, nextId, ...ports })

      const list = fnWithSpan("Documents.list")(function* (query: ListDocuments = {}) {
        const { organisationId } = yield* CurrentCaller
        return yield* listPages(
          "documents",
          query,
          (page) => repository.list(organisationId, query, page),
          documentSortKeys
        )
      })

      const listRevisions = fnWithSpan("Documents.listRevisions")(function* (
        documentId: DocumentId,
        query: ListRevisions = {}
      ) {
        const { organisationId } = yield* CurrentCaller
        // A cursor belongs to the chain of this document.
        const conditions = { ...query, documentId }
        const chain = yield* listPages(
          "revisions",
          conditions,
          (page) => repository.listRevisions(organisationId, documentId, page),
          documentSortKeys
        )
        // A chain holds its document; a look-up before could find one that is deleted meanwhile.
        if (query.cursor === undefined && chain.data.length === 0) return yield* new DocumentNotFound({ documentId })
        return chain
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
        yield* commands.delete(organisationId, documentId, { at: yield* DateTime.now, expectedVersions })
      })

      const objectArrived = fnWithSpan("Documents.objectArrived")(function* (path: string) {
        const key = parseStorageKey(path)
        if (Option.isNone(key)) return
        const { documentId, organisationId } = key.value
        const document = yield* commands.findById(organisationId, DocumentId.make(documentId))
        if (Option.isNone(document) || !canReceiveFile(document.value) || document.value.path !== path) return
        yield* resolve(ports, document.value)
      })

      return Documents.of({
        ...guarded(documentOperations, {
          issueUploads,
          reissueUpload,
          get,
          list,
          listRevisions,
          changeStatus: makeStatusChange({ get, ...ports }),
          downloadUrl,
          delete: remove
        }),
        objectArrived
      })
    })
  )
}

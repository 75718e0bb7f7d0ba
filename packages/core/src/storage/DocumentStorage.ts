/**
 * Port for the files of documents. Files never pass through the services: a storage signs addresses
 * and reports stored objects. Test an implementation with `documentStorageConformance` of
 * `@solar-sites/testing`.
 */
import { Context, type DateTime, type Effect, type Option } from "effect"
import type { Page } from "../lists/Page.ts"
import type { OrganisationId } from "../organisations/Organisation.ts"
import type { StorageError } from "./StorageError.ts"
import type { StorageKey } from "./StorageKey.ts"

/**
 * One upload to sign. `sizeBytes` is the declared length or null; `maximumBytes` is the limit of
 * the upload policy.
 */
export interface UploadRequest {
  readonly key: StorageKey
  readonly mimeType: string
  readonly sizeBytes: number | null
  readonly maximumBytes: number
}

/**
 * `path` is an absolute URL that ends in the key, `token` its query. Clients send `headers`
 * unchanged with the PUT.
 */
export interface SignedUpload {
  readonly path: string
  readonly token: string
  readonly headers: Readonly<Record<string, string>>
}

/** One download to sign. */
export interface DownloadRequest {
  readonly key: StorageKey
  /** Media type of the response; null: the stored one. */
  readonly mimeType: string | null
  /** Name of the attachment; null: the file is shown inline. */
  readonly filename: string | null
}

/**
 * A stored object. `mimeType` is null when the storage does not know it. `contentCoding` is the
 * `Content-Encoding` of the upload, or null.
 */
export interface StoredObject {
  readonly sizeBytes: number
  readonly mimeType: string | null
  readonly contentCoding: string | null
}

/** An object in a listing. */
export interface ListedObject {
  readonly key: StorageKey
  readonly modifiedAt: DateTime.Utc
}

/** Period in which a signed address is accepted, checked at the start of a request. */
export interface Validity {
  readonly from: DateTime.Utc
  readonly until: DateTime.Utc
}

/** Keys of other organisations are never touched. */
export class DocumentStorage extends Context.Service<
  DocumentStorage,
  {
    /**
     * Signs a batch of uploads and returns the addresses in the same order. An address accepts
     * exactly one content, of its media type and declared length, started before the end of its
     * validity. A second PUT never replaces the first; an aborted PUT leaves nothing. A storage
     * that can enforce `maximumBytes` for an undeclared length does so; with others, such as S3,
     * verification checks it after arrival.
     */
    readonly signUploads: (
      organisationId: OrganisationId,
      uploads: ReadonlyArray<UploadRequest>,
      validity: Validity
    ) => Effect.Effect<ReadonlyArray<SignedUpload>, StorageError>

    /** Signs a download. Does not check that the file exists. */
    readonly signDownload: (
      organisationId: OrganisationId,
      download: DownloadRequest,
      validity: Validity
    ) => Effect.Effect<string, StorageError>

    /** The object at the key; none unless the upload is complete. */
    readonly inspect: (
      organisationId: OrganisationId,
      key: StorageKey
    ) => Effect.Effect<Option.Option<StoredObject>, StorageError>

    /**
     * The keys among these with a running upload that started in time. A storage that cannot tell,
     * such as S3, returns none.
     */
    readonly findUploading: (
      organisationId: OrganisationId,
      keys: ReadonlyArray<StorageKey>
    ) => Effect.Effect<ReadonlySet<StorageKey>, StorageError>

    /**
     * Deletes the objects at the keys; absent objects are ignored. After a failure or interruption
     * it deletes nothing more.
     */
    readonly delete: (
      organisationId: OrganisationId,
      keys: ReadonlyArray<StorageKey>
    ) => Effect.Effect<void, StorageError>

    /** Objects of the organisation in ascending order of key, at most `limit` after `after`. */
    readonly list: (
      organisationId: OrganisationId,
      page: { readonly after: StorageKey | null; readonly limit: number }
    ) => Effect.Effect<Page<ListedObject>, StorageError>
  }
>()("@solar-sites/core/DocumentStorage") {}

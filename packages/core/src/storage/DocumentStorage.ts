/**
 * Where the bytes of documents are kept. Files never pass through the services:
 * a storage hands out signed addresses and answers what lies where. Implement
 * this port to bring your own, then run `documentStorageConformance` from
 * `@solar-sites/testing` against it.
 *
 * @since 0.1.0
 */
import { Context, type DateTime, type Effect, type Option } from "effect"
import type { OrganisationId } from "../organisations/Organisation.ts"
import type { Page } from "../persistence/Page.ts"
import type { StorageError } from "./StorageError.ts"
import type { StorageKey } from "./StorageKey.ts"

/**
 * One upload to be signed. `sizeBytes` is the declared length, null when none
 * was declared; `maximumBytes` is what policy allows at most.
 *
 * @category models
 * @since 0.1.0
 */
export interface UploadRequest {
  readonly key: StorageKey
  readonly mimeType: string
  readonly sizeBytes: number | null
  readonly maximumBytes: number
}

/**
 * `path` is an absolute address that ends in the key, `token` what follows its
 * `?`; `headers` are to be sent as they are with a PUT.
 *
 * @category models
 * @since 0.1.0
 */
export interface SignedUpload {
  readonly path: string
  readonly token: string
  readonly headers: Readonly<Record<string, string>>
}

/**
 * How a browser is to treat a download: keep it under a name, or show it.
 *
 * @category models
 * @since 0.1.0
 */
export interface DownloadRequest {
  readonly key: StorageKey
  /** The media type to answer with; null: the one it was stored with. */
  readonly mimeType: string | null
  /** The original name; with it the file comes as an attachment, without it inline. */
  readonly filename: string | null
}

/**
 * What lies at a key. `mimeType` is null where the storage does not know it;
 * `contentCoding` is what the file was sent with as `Content-Encoding`, null when
 * that was nothing.
 *
 * @category models
 * @since 0.1.0
 */
export interface StoredObject {
  readonly sizeBytes: number
  readonly mimeType: string | null
  readonly contentCoding: string | null
}

/**
 * An object as a listing shows it.
 *
 * @category models
 * @since 0.1.0
 */
export interface ListedObject {
  readonly key: StorageKey
  readonly modifiedAt: DateTime.Utc
}

/**
 * From when until when a signed address holds; a request is judged when it
 * starts.
 *
 * @category models
 * @since 0.1.0
 */
export interface Validity {
  readonly from: DateTime.Utc
  readonly until: DateTime.Utc
}

/**
 * Keys of another organisation than the one given are never touched.
 *
 * @category services
 * @since 0.1.0
 */
export class DocumentStorage extends Context.Service<
  DocumentStorage,
  {
    /**
     * Signs a batch, answers in its order. An address takes exactly one content:
     * of its media type and of the declared length if any, begun before the end
     * of its validity; a second PUT never replaces the first, and a PUT that
     * breaks off leaves nothing. A storage that can hold an undeclared length to
     * the maximum does so; where it cannot, as S3, the arrival is judged by it.
     */
    readonly signUploads: (
      organisationId: OrganisationId,
      uploads: ReadonlyArray<UploadRequest>,
      validity: Validity
    ) => Effect.Effect<ReadonlyArray<SignedUpload>, StorageError>

    /** An address to GET the file from. Signing does not look whether it is there. */
    readonly signDownload: (
      organisationId: OrganisationId,
      download: DownloadRequest,
      validity: Validity
    ) => Effect.Effect<string, StorageError>

    /** What lies at the key: a whole upload or nothing. */
    readonly inspect: (
      organisationId: OrganisationId,
      key: StorageKey
    ) => Effect.Effect<Option.Option<StoredObject>, StorageError>

    /**
     * Those of the keys to which an upload is under way that began in time, as far
     * as the storage knows. S3 does not: it answers none.
     */
    readonly findUploading: (
      organisationId: OrganisationId,
      keys: ReadonlyArray<StorageKey>
    ) => Effect.Effect<ReadonlySet<StorageKey>, StorageError>

    /**
     * Deletes what lies at the keys. Keys with nothing behind them are fine. Once
     * it has failed or was interrupted, it deletes nothing more.
     */
    readonly delete: (
      organisationId: OrganisationId,
      keys: ReadonlyArray<StorageKey>
    ) => Effect.Effect<void, StorageError>

    /** The organisation's objects in ascending order of key, at most `limit` after `after`. */
    readonly list: (
      organisationId: OrganisationId,
      page: { readonly after: StorageKey | null; readonly limit: number }
    ) => Effect.Effect<Page<ListedObject>, StorageError>
  }
>()("@solar-sites/core/DocumentStorage") {}

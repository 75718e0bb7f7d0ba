/**
 * `DocumentStorage` in an S3 bucket. Clients upload and download by presigned
 * addresses; the server only inspects, lists and deletes.
 */
import { HeadObjectCommand, ListObjectsV2Command } from "@aws-sdk/client-s3"
import {
  contentDisposition,
  DocumentStorage,
  type ListedObject,
  type OrganisationId,
  parseStorageKey,
  type StorageError,
  StorageKey,
  type UploadRequest
} from "@solar-sites/core"
import { DateTime, Effect, Layer, Option } from "effect"
import { S3Bucket } from "./S3Bucket.ts"
import { batchSize, deleteBatch } from "./S3Delete.ts"
import { isAbsent } from "./S3Errors.ts"

const largestPage = 1_000
const deletingConcurrency = 4

const belongsTo = (organisationId: OrganisationId) => (key: StorageKey) => key.startsWith(`${organisationId}/`)

const refuseForeign = (organisationId: OrganisationId, keys: ReadonlyArray<StorageKey>): Effect.Effect<void> =>
  keys.every(belongsTo(organisationId))
    ? Effect.void
    : Effect.die(new Error("An address was requested for a key of another organisation."))

// `maximumBytes` cannot be signed: a presigned PUT has one exact length or none. Without a declared
// length, core deletes a file that is too large when it inspects it.
const uploadOf =
  (singleUse: boolean) =>
  ({ key, mimeType, sizeBytes }: UploadRequest) => {
    const sent = { "content-type": mimeType, ...(singleUse ? { "if-none-match": "*" } : {}) }
    const length = sizeBytes === null ? {} : { "content-length": String(sizeBytes) }
    return {
      sent,
      request: { method: "PUT", key, headers: { ...sent, ...length }, query: { "x-id": "PutObject" } }
    } as const
  }

const toListedObject = (key: string | undefined, modified: Date | undefined): ReadonlyArray<ListedObject> =>
  key === undefined || Option.isNone(parseStorageKey(key))
    ? []
    : [{ key: StorageKey.make(key), modifiedAt: DateTime.makeUnsafe(modified ?? 0) }]

/** The port over an `S3Bucket`. */
export const layerStorage: Layer.Layer<DocumentStorage, never, S3Bucket> = Layer.effect(
  DocumentStorage,
  Effect.gen(function* () {
    const { bucket: Bucket, request, signer, singleUse } = yield* S3Bucket
    const toUpload = uploadOf(singleUse)

    const signUploads: DocumentStorage["Service"]["signUploads"] = Effect.fnUntraced(
      function* (organisationId, uploads, validity) {
        yield* refuseForeign(
          organisationId,
          uploads.map(({ key }) => key)
        )
        const prepared = uploads.map(toUpload)
        const addresses = yield* signer.sign(
          "DocumentStorage.signUploads",
          prepared.map((upload) => upload.request),
          validity
        )
        return addresses.map((address, index) => ({ ...address, headers: prepared[index]?.sent ?? {} }))
      }
    )

    const signDownload: DocumentStorage["Service"]["signDownload"] = Effect.fnUntraced(function* (
      organisationId,
      { filename, key, mimeType },
      validity
    ) {
      yield* refuseForeign(organisationId, [key])
      const query = {
        "x-id": "GetObject",
        "response-content-disposition": contentDisposition(filename),
        ...(mimeType === null ? {} : { "response-content-type": mimeType })
      }
      const requests = [{ method: "GET", key, headers: {}, query }] as const
      const signed = yield* signer.sign("DocumentStorage.signDownload", requests, validity)
      return signed.map(({ path, token }) => `${path}?${token}`).join("")
    })

    const inspect: DocumentStorage["Service"]["inspect"] = (organisationId, Key) =>
      belongsTo(organisationId)(Key)
        ? request("DocumentStorage.inspect", (client, options) =>
            client.send(new HeadObjectCommand({ Bucket, Key }), options)
          ).pipe(
            Effect.map(({ ContentEncoding = null, ContentLength = 0, ContentType = null }) =>
              // A client can add this header to a presigned PUT, and some stores keep an empty one.
              Option.some({ sizeBytes: ContentLength, mimeType: ContentType, contentCoding: ContentEncoding || null })
            ),
            Effect.catchIf(
              ({ cause }) => isAbsent(cause),
              () => Effect.succeedNone
            )
          )
        : Effect.succeedNone

    const remove = (organisationId: OrganisationId, keys: ReadonlyArray<StorageKey>) => {
      const own = keys.filter(belongsTo(organisationId))
      const batches = Array.from({ length: Math.ceil(own.length / batchSize) }, (_, index) =>
        own.slice(index * batchSize, (index + 1) * batchSize)
      )
      return Effect.forEach(
        batches,
        (batch) => request("DocumentStorage.delete", (client, options) => deleteBatch(client, Bucket, batch, options)),
        { concurrency: deletingConcurrency, discard: true }
      )
    }

    const list: DocumentStorage["Service"]["list"] = (organisationId, { after, limit }) => {
      const fill = (
        items: ReadonlyArray<ListedObject>,
        startAfter: string | null
      ): Effect.Effect<{ items: ReadonlyArray<ListedObject>; hasMore: boolean }, StorageError> =>
        request("DocumentStorage.list", (client, options) =>
          client.send(
            new ListObjectsV2Command({
              Bucket,
              Prefix: `${organisationId}/`,
              MaxKeys: Math.min(limit - items.length, largestPage),
              ...(startAfter === null ? {} : { StartAfter: startAfter })
            }),
            options
          )
        ).pipe(
          Effect.flatMap(({ Contents = [], IsTruncated = false }) => {
            const all = [...items, ...Contents.flatMap(({ Key, LastModified }) => toListedObject(Key, LastModified))]
            const last = Contents.at(-1)?.Key
            // Foreign objects in the bucket are skipped, so the page is filled by further requests.
            return IsTruncated && all.length < limit && last !== undefined
              ? fill(all, last)
              : Effect.succeed({ items: all, hasMore: IsTruncated })
          })
        )
      return fill([], after)
    }

    return DocumentStorage.of({
      signUploads,
      signDownload,
      inspect,
      // S3 does not report uploads in progress.
      findUploading: () => Effect.succeed(new Set()),
      delete: remove,
      list
    })
  })
)

/** `DocumentStorage` in memory, and the client for its addresses. */
import {
  contentDisposition,
  DocumentStorage,
  type DownloadRequest,
  type OrganisationId,
  RandomBytes,
  type StorageKey,
  takePage,
  type UploadRequest,
  type Validity
} from "@solar-sites/core"
import { Context, DateTime, Effect, Layer, Option, Result } from "effect"
import {
  type StorageAnswer,
  StorageClient,
  type StorageDownload,
  type StoragePut
} from "../conformance/StorageClient.ts"

/** Origin of all signed addresses. The host never exists (RFC 2606). */
export const origin = "https://storage.invalid"

const base = `${origin}/`

interface MemoryObject {
  readonly bytes: Uint8Array
  readonly mimeType: string
  readonly modifiedAt: DateTime.Utc
}

/** The permission behind a token. Tokens are random and cannot be forged. */
interface Grant<Request extends { readonly key: StorageKey }> {
  readonly request: Request
  readonly validity: Validity
}

const isOwn = (organisationId: OrganisationId, key: StorageKey): boolean => key.startsWith(`${organisationId}/`)

const requireOwnKeys = <A>(
  organisationId: OrganisationId,
  keys: ReadonlyArray<StorageKey>,
  effect: Effect.Effect<A>
) =>
  keys.every((key) => isOwn(organisationId, key))
    ? effect
    : Effect.die(new Error("storage key of another organisation"))

type Refusal = NonNullable<StorageAnswer["code"]>

/** The request of a signed address, when it is valid now. */
const granted = Effect.fnUntraced(function* <Request extends { readonly key: StorageKey }>(
  grants: ReadonlyMap<string, Grant<Request>>,
  url: string
): Effect.fn.Return<Result.Result<Request, Refusal>> {
  const now = yield* DateTime.now
  const [path, ...token] = url.split("?")
  const grant = grants.get(token.join("?"))
  if (grant === undefined || path !== base + grant.request.key) return Result.fail("address_invalid")
  const { from, until } = grant.validity
  if (DateTime.isLessThan(now, from)) return Result.fail("address_invalid")
  return DateTime.isLessThan(now, until) ? Result.succeed(grant.request) : Result.fail("address_expired")
})

const nothing = { headers: {}, body: new Uint8Array() }

const make = Effect.gen(function* () {
  const randomBytes = yield* RandomBytes
  const objects = new Map<StorageKey, MemoryObject>()
  const uploads = new Map<string, Grant<UploadRequest>>()
  const downloads = new Map<string, Grant<DownloadRequest>>()
  const uploading: Array<StorageKey> = []

  const newToken = (): string => `grant=${Buffer.from(randomBytes(32)).toString("hex")}`

  const storage = DocumentStorage.of({
    signUploads: (organisationId, requests, validity) => {
      const sign = Effect.sync(() =>
        requests.map((request) => {
          const token = newToken()
          uploads.set(token, { request: { ...request }, validity })
          return { path: base + request.key, token, headers: { "content-type": request.mimeType } }
        })
      )
      return requireOwnKeys(
        organisationId,
        requests.map(({ key }) => key),
        sign
      )
    },

    signDownload: (organisationId, request, validity) => {
      const sign = Effect.sync(() => {
        const token = newToken()
        downloads.set(token, { request: { ...request }, validity })
        return `${base}${request.key}?${token}`
      })
      return requireOwnKeys(organisationId, [request.key], sign)
    },

    inspect: (organisationId, key) =>
      Effect.sync(() =>
        Option.map(
          Option.fromUndefinedOr(isOwn(organisationId, key) ? objects.get(key) : undefined),
          ({ bytes, mimeType }) => ({ sizeBytes: bytes.byteLength, mimeType, contentCoding: null })
        )
      ),

    findUploading: (organisationId, keys) =>
      Effect.sync(() => new Set(keys.filter((key) => isOwn(organisationId, key) && uploading.includes(key)))),

    delete: (organisationId, keys) =>
      Effect.sync(() => {
        for (const key of keys) if (isOwn(organisationId, key)) objects.delete(key)
      }),

    list: (organisationId, { after, limit }) =>
      Effect.sync(() => {
        const own = [...objects].filter(([key]) => isOwn(organisationId, key) && (after === null || key > after))
        const listed = own.map(([key, { modifiedAt }]) => ({ key, modifiedAt }))
        return takePage(
          listed.sort((a, b) => (a.key < b.key ? -1 : 1)),
          limit
        )
      })
  })

  const put: StorageClient["Service"]["put"] = Effect.fnUntraced(function* ({ beforeLast, body, headers, url }) {
    const grant = yield* granted(uploads, url)
    if (Result.isFailure(grant)) return { status: 403, code: grant.failure }
    const request = grant.success
    const sent = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
    if (sent.get("content-type") !== request.mimeType) return { status: 403, code: "address_invalid" }
    if ((sent.get("content-encoding") ?? "identity") !== "identity") {
      return { status: 415, code: "unsupported_media_type" }
    }
    return yield* Effect.acquireUseRelease(
      Effect.sync(() => uploading.push(request.key)),
      () => receive(request, body, beforeLast),
      () => Effect.sync(() => uploading.splice(uploading.indexOf(request.key), 1))
    )
  })

  const receive = Effect.fnUntraced(function* (
    request: UploadRequest,
    body: StoragePut["body"],
    beforeLast: StoragePut["beforeLast"] = Effect.void
  ): Effect.fn.Return<StorageAnswer> {
    const received: Array<Uint8Array> = []
    let sizeBytes = 0
    const chunks = body instanceof Uint8Array ? [body] : body
    for (const [index, chunk] of chunks.entries()) {
      yield* index > 0 && index === chunks.length - 1 ? beforeLast : Effect.yieldNow
      sizeBytes += chunk.byteLength
      if (sizeBytes > request.maximumBytes) return { status: 413, code: "file_too_large" }
      received.push(Uint8Array.from(chunk))
    }
    if (request.sizeBytes !== null && sizeBytes !== request.sizeBytes) return { status: 400, code: "length_mismatch" }
    const modifiedAt = yield* DateTime.now
    // No yield below: exactly one of several concurrent uploads stores its content.
    if (objects.has(request.key)) return { status: 412, code: "already_uploaded" }
    objects.set(request.key, { bytes: new Uint8Array(Buffer.concat(received)), mimeType: request.mimeType, modifiedAt })
    return { status: 200 }
  })

  const client = StorageClient.of({
    put,
    breakOff: () => Effect.void,
    get: Effect.fnUntraced(function* (url): Effect.fn.Return<StorageDownload> {
      const grant = yield* granted(downloads, url)
      if (Result.isFailure(grant)) return { status: 403, code: grant.failure, ...nothing }
      const request = grant.success
      const object = objects.get(request.key)
      if (object === undefined) return { status: 404, ...nothing }
      const headers = {
        "content-type": request.mimeType ?? object.mimeType,
        "content-length": String(object.bytes.byteLength),
        "x-content-type-options": "nosniff",
        "content-disposition": contentDisposition(request.filename)
      }
      return { status: 200, headers, body: object.bytes.slice() }
    })
  })

  return Context.make(DocumentStorage, storage).pipe(Context.add(StorageClient, client))
})

/** Empty each time it is built. Addresses expire by the `Clock` of the calling effect. */
export const layer: Layer.Layer<DocumentStorage | StorageClient> = Layer.effectContext(make)

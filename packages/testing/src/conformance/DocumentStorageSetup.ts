/**
 * Setup of the cases about stored files.
 */
import { createHash } from "node:crypto"
import {
  DocumentStorage,
  type DownloadRequest,
  type OrganisationId,
  type SignedUpload,
  type StorageKey,
  type UploadRequest,
  type Validity
} from "@solar-sites/core"
import { DateTime, Effect, Option } from "effect"
import { aDocument } from "../fixtures.ts"
import { assert } from "./Assert.ts"
import { StorageClient } from "./StorageClient.ts"

/** Ports of the cases about files. */
export type FilePorts = DocumentStorage | StorageClient

/** A key of the organisation without a file. */
export const aKey = (organisationId?: OrganisationId): StorageKey =>
  aDocument(organisationId === undefined ? {} : { organisationId }).path

/** Bytes of all values, determined by the seed. */
export const someBytes = (length: number, seed = 1): Uint8Array =>
  Uint8Array.from({ length }, (_, index) => (index * 31 + seed * 97 + (index >> 8)) & 0xff)

/** A period of one minute that started this number of seconds ago. */
export const validity = (secondsAgo = 0): Effect.Effect<Validity> =>
  Effect.map(DateTime.now, (now) => {
    const from = DateTime.subtract(now, { seconds: secondsAgo })
    return { from, until: DateTime.add(from, { seconds: 60 }) }
  })

/** Age in seconds of an expired address. */
export const lapsed = 61

export const anUpload = (overrides: Partial<UploadRequest> & Pick<UploadRequest, "key">): UploadRequest => ({
  mimeType: "application/pdf",
  sizeBytes: null,
  maximumBytes: 1_000_000,
  ...overrides
})

export const urlOf = ({ path, token }: Pick<SignedUpload, "path" | "token">): string => `${path}?${token}`

export const isAccepted = (status: number): boolean => status >= 200 && status < 300

/** Signs one upload. */
export const signedUpload = Effect.fnUntraced(function* (
  organisationId: OrganisationId,
  upload: UploadRequest,
  secondsAgo?: number
) {
  const storage = yield* DocumentStorage
  const [signed] = yield* storage.signUploads(organisationId, [upload], yield* validity(secondsAgo))
  assert.ok(signed !== undefined, "one address is signed for one upload")
  return signed
})

/** Sends the body to the address, by default with its headers. */
export const send = Effect.fnUntraced(function* (
  signed: SignedUpload,
  body: Uint8Array | ReadonlyArray<Uint8Array>,
  headers: SignedUpload["headers"] = signed.headers
) {
  return (yield* (yield* StorageClient).put({ url: urlOf(signed), headers, body })).status
})

/** Stores the bytes at the key through a signed address. */
export const stored = Effect.fnUntraced(function* (
  organisationId: OrganisationId,
  key: StorageKey,
  bytes: Uint8Array,
  mimeType: string = "application/pdf"
) {
  const signed = yield* signedUpload(organisationId, anUpload({ key, mimeType, sizeBytes: bytes.byteLength }))
  const status = yield* send(signed, bytes)
  assert.ok(isAccepted(status), `an upload as it was declared is accepted, not answered with ${status}`)
  return signed
})

/** Signs one download. */
export const signedDownload = Effect.fnUntraced(function* (
  organisationId: OrganisationId,
  download: Partial<DownloadRequest> & Pick<DownloadRequest, "key">,
  secondsAgo?: number
) {
  const request = { mimeType: null, filename: null, ...download }
  return yield* (yield* DocumentStorage).signDownload(organisationId, request, yield* validity(secondsAgo))
})

export const fetched = Effect.fnUntraced(function* (url: string, headers?: Readonly<Record<string, string>>) {
  return yield* (yield* StorageClient).get(url, headers)
})

/** Compares digests: a diff of all bytes would fill pages. */
export const sameBytes = (actual: Uint8Array, expected: Uint8Array, promise: string): void => {
  const digest = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex")
  assert.equal(digest(actual), digest(expected), `${promise}: the digest of the bytes`)
}

/** Expects these bytes at the key. */
export const holds = Effect.fnUntraced(function* (
  organisationId: OrganisationId,
  key: StorageKey,
  bytes: Uint8Array,
  promise: string
) {
  const found = Option.getOrNull(yield* (yield* DocumentStorage).inspect(organisationId, key))
  assert.equal(found?.sizeBytes, bytes.byteLength, `${promise}: the size`)
  const { body, status } = yield* fetched(yield* signedDownload(organisationId, { key }))
  assert.ok(isAccepted(status), `${promise}: a download is answered with ${status}`)
  sameBytes(body, bytes, promise)
})

/** Expects no file at the key. */
export const holdsNothing = Effect.fnUntraced(function* (
  organisationId: OrganisationId,
  key: StorageKey,
  promise: string
) {
  assert.deepEqual(yield* (yield* DocumentStorage).inspect(organisationId, key), Option.none(), promise)
  const { status } = yield* fetched(yield* signedDownload(organisationId, { key }))
  assert.ok(!isAccepted(status), `${promise}: a download is answered with ${status}`)
})

/** The address with each query parameter changed or removed, one at a time. */
export const tampered = (url: string): ReadonlyArray<{ readonly url: string; readonly what: string }> => {
  const parts = (url.split("?")[1] ?? "").split("&")
  return parts.flatMap((part, at) => {
    const [name = "", value = ""] = part.split("=")
    const first = `${value.startsWith("0") ? "1" : "0"}${value.slice(1)}`
    // A larger number could extend the validity or the size.
    const values = /^\d+$/.test(value) ? [first, `${value}0`] : [first]
    const changed = values.map((other) => ({ query: parts.with(at, `${name}=${other}`), what: `${name}=${other}` }))
    return [...changed, { query: parts.toSpliced(at, 1), what: `no ${name}` }].map(({ query, what }) => ({
      url: `${url.split("?")[0]}?${query.join("&")}`,
      what
    }))
  })
}

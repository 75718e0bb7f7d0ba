/**
 * Plays the second step of an upload: the PUT that a client sends straight to
 * storage.
 */
import { type SolarSites, storageKeyIn, type UploadAddress } from "@solar-sites/core"
import { DateTime, Effect, Option, Schema } from "effect"
import { StorageClient } from "../conformance/StorageClient.ts"

/**
 * An upload address as the rules give it, or as it comes over HTTP.
 *
 * @category models
 * @since 0.1.0
 */
export interface UploadUrl extends Pick<UploadAddress, "url" | "headers"> {
  readonly expiresAt: DateTime.Utc | string
}

/**
 * Storage does not take the file. The codes are those of the embedded storage:
 * the address has expired, takes another file, has its file already, was issued
 * for another length, or for less.
 *
 * @category errors
 * @since 0.1.0
 */
export class UploadRefused extends Schema.TaggedError<UploadRefused>("@solar-sites/testing/UploadRefused")(
  "UploadRefused",
  {
    code: Schema.Literals([
      "address_expired",
      "address_invalid",
      "already_uploaded",
      "length_mismatch",
      "file_too_large"
    ])
  }
) {
  override get message(): string {
    return `Storage refuses the upload: ${this.code}`
  }
}

const refusals: ReadonlyMap<number, UploadRefused["code"]> = new Map([
  [400, "length_mismatch"],
  [409, "already_uploaded"],
  [413, "file_too_large"]
])

const hasExpired = (expiresAt: DateTime.Utc | string, now: DateTime.Utc): boolean =>
  DateTime.isGreaterThanOrEqualTo(now, DateTime.isDateTime(expiresAt) ? expiresAt : DateTime.makeUnsafe(expiresAt))

/**
 * As with the embedded storage the arrival is told at once, and the file has
 * arrived even where that fails.
 */
export const upload = Effect.fnUntraced(function* (
  { expiresAt, headers, url }: UploadUrl,
  bytes: Uint8Array,
  objectArrived: SolarSites["objectArrived"]
) {
  const client = yield* StorageClient
  const now = yield* DateTime.now
  const { status } = yield* client.put({ url, headers, body: bytes })
  if (status !== 200) {
    const code = refusals.get(status) ?? (hasExpired(expiresAt, now) ? "address_expired" : "address_invalid")
    return yield* new UploadRefused({ code })
  }
  const key = storageKeyIn(url)
  if (Option.isNone(key)) return
  const told = Effect.tryPromise(() => objectArrived(key.value))
  yield* Effect.catchCause(told, (cause) => Effect.logWarning("A stored file could not be reported", cause))
})

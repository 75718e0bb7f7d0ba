/**
 * Plays the second step of an upload: the PUT that a client sends straight to
 * storage.
 */
import { type SolarSites, storageKeyIn, type UploadAddress } from "@solar-sites/core"
import { Effect, Option, Schema } from "effect"
import { StorageClient, type StoragePut, storageRefusals } from "../conformance/StorageClient.ts"

/**
 * An upload address as the rules give it, or as it comes over HTTP.
 *
 * @category models
 * @since 0.1.0
 */
export interface UploadUrl extends Pick<UploadAddress, "url" | "headers"> {}

/**
 * The content of a file.
 *
 * @category models
 * @since 0.1.0
 */
export type UploadBytes = Uint8Array | ArrayBuffer | Blob

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
  { code: Schema.Literals(storageRefusals) }
) {
  override get message(): string {
    return `Storage refuses the upload: ${this.code}`
  }
}

/** What an argument is that cannot be used, without anything of what is in it. */
const kindOf = (given: unknown): string => (given === null ? "null" : typeof given)

const addressIn = (given: UploadUrl): UploadUrl => {
  // Whoever does not check types gives what is nearest.
  const members = Object(given)
  if (typeof members.url === "string" && typeof members.headers === "object" && members.headers !== null) return given
  const found = "uploadUrl" in members ? "a whole result" : kindOf(given)
  throw new TypeError(
    `harness.upload needs the address of one file, with its url and headers, such as result.uploadUrl; this is ${found}`
  )
}

const isArrayBuffer = (given: unknown): given is ArrayBuffer =>
  // Test runners that make globals of their own have another ArrayBuffer.
  Object.prototype.toString.call(given) === "[object ArrayBuffer]"

const bytesIn = async (given: UploadBytes): Promise<Uint8Array> => {
  if (ArrayBuffer.isView(given)) return new Uint8Array(given.buffer, given.byteOffset, given.byteLength)
  if (isArrayBuffer(given)) return new Uint8Array(given)
  if (typeof Object(given).arrayBuffer === "function") return new Uint8Array(await given.arrayBuffer())
  const example = 'new TextEncoder().encode("as built")'
  throw new TypeError(
    `harness.upload sends a Uint8Array, an ArrayBuffer or a Blob, such as ${example}; this is ${kindOf(given)}`
  )
}

/**
 * As with the embedded storage the arrival is told at once, and the file has
 * arrived even where that fails.
 */
export const putFile = Effect.fnUntraced(function* (put: StoragePut, objectArrived: SolarSites["objectArrived"]) {
  const client = yield* StorageClient
  const answer = yield* client.put(put)
  const key = storageKeyIn(put.url)
  if (answer.status !== 200 || Option.isNone(key)) return answer
  const told = Effect.tryPromise(() => objectArrived(key.value))
  yield* Effect.catchCause(told, (cause) => Effect.logWarning("A stored file could not be reported", cause))
  return answer
})

export const upload = Effect.fnUntraced(function* (
  uploadUrl: UploadUrl,
  bytes: UploadBytes,
  objectArrived: SolarSites["objectArrived"]
) {
  const { headers, url } = addressIn(uploadUrl)
  const body = yield* Effect.promise(() => bytesIn(bytes))
  const { code } = yield* putFile({ url, headers, body }, objectArrived)
  if (code !== undefined) return yield* new UploadRefused({ code })
})

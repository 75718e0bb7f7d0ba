/**
 * The second step of an upload: the PUT of a client to storage.
 */
import { type SolarSites, storageKeyIn, type UploadAddress } from "@solar-sites/core"
import { Effect, Option, Schema } from "effect"
import { StorageClient, type StoragePut, storageRefusals } from "../conformance/StorageClient.ts"

/** An upload address, from a rule service or over HTTP. */
export interface UploadUrl extends Pick<UploadAddress, "url" | "headers"> {}

/** The content of a file. */
export type UploadBytes = Uint8Array | ArrayBuffer | Blob

/** The storage refuses the file. The codes are those of the embedded storage. */
export class UploadRefused extends Schema.TaggedError<UploadRefused>("@solar-sites/testing/UploadRefused")(
  "UploadRefused",
  { code: Schema.Literals(storageRefusals) }
) {
  override get message(): string {
    return `upload refused by storage: ${this.code}`
  }
}

/** Type of an invalid argument, without its content. */
const kindOf = (given: unknown): string => (given === null ? "null" : typeof given)

const addressIn = (given: UploadUrl): UploadUrl => {
  // Callers without type checks often pass the whole result.
  const members = Object(given)
  if (typeof members.url === "string" && typeof members.headers === "object" && members.headers !== null) return given
  const found = "uploadUrl" in members ? "a whole result" : kindOf(given)
  throw new TypeError(
    `harness.upload: expected an upload address with url and headers, such as result.uploadUrl, not ${found}`
  )
}

const isArrayBuffer = (given: unknown): given is ArrayBuffer =>
  // Some test runners replace globals, so `instanceof ArrayBuffer` can be false.
  Object.prototype.toString.call(given) === "[object ArrayBuffer]"

const bytesIn = async (given: UploadBytes): Promise<Uint8Array> => {
  if (ArrayBuffer.isView(given)) return new Uint8Array(given.buffer, given.byteOffset, given.byteLength)
  if (isArrayBuffer(given)) return new Uint8Array(given)
  if (typeof Object(given).arrayBuffer === "function") return new Uint8Array(await given.arrayBuffer())
  const example = 'new TextEncoder().encode("as built")'
  throw new TypeError(
    `harness.upload: expected a Uint8Array, an ArrayBuffer or a Blob, such as ${example}, not ${kindOf(given)}`
  )
}

/**
 * Uploads a file and reports its arrival at once, like the embedded storage. The upload succeeds
 * also when the report fails.
 */
export const putFile = Effect.fnUntraced(function* (put: StoragePut, objectArrived: SolarSites["objectArrived"]) {
  const client = yield* StorageClient
  const answer = yield* client.put(put)
  const key = storageKeyIn(put.url)
  if (answer.status !== 200 || Option.isNone(key)) return answer
  const report = Effect.tryPromise(() => objectArrived(key.value))
  yield* Effect.catchCause(report, (cause) => Effect.logWarning("report of a stored file failed", cause))
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

/**
 * HTTP answers of the storage in memory, equal to those of the embedded storage.
 */
import { IdGenerator, type SolarSites } from "@solar-sites/core"
import { Effect } from "effect"
import { type StorageAnswer, StorageClient } from "../conformance/StorageClient.ts"
import * as MemoryDocumentStorage from "../memory/MemoryDocumentStorage.ts"
import { putFile } from "./Upload.ts"

/** True for a request to a signed address. */
export const isStorageRequest = ({ url }: Request): boolean => url.startsWith(`${MemoryDocumentStorage.origin}/`)

/** Details of the problem documents, as in the folder storage. */
const details = {
  length_mismatch: "The length is not the one that was declared.",
  address_invalid: "The address was not issued for this method and file, or was changed.",
  address_expired: "Ask for a new address.",
  file_not_found: "There is no file at this address.",
  method_not_allowed: "See the header Allow.",
  already_uploaded: "An address takes one file, and has it.",
  file_too_large: "The file is larger than this address allows.",
  unsupported_media_type: "Send the headers that came with the address as they are, without a content coding."
} as const satisfies Record<NonNullable<StorageAnswer["code"]> | "file_not_found" | "method_not_allowed", string>

type Headers = Readonly<Record<string, string>>

/** A response without its request id. */
type Answer = (requestId: string) => Response

const problem =
  (status: number, code: keyof typeof details, more: Headers = {}): Answer =>
  (requestId) => {
    const words = code.replaceAll("_", " ")
    const title = words.slice(0, 1).toUpperCase() + words.slice(1)
    const type = `urn:solar-sites:problem:${code}`
    const headers = { "content-type": "application/problem+json", "x-request-id": requestId, ...general, ...more }
    const body = JSON.stringify({ type, title, status, detail: details[code], code, requestId })
    return new Response(body, { status, headers })
  }

const general = { "cache-control": "no-store", "x-content-type-options": "nosniff" }

const success =
  (status: number, body: Uint8Array<ArrayBuffer> | null, headers: Headers = {}): Answer =>
  (requestId) =>
    new Response(body, { status, headers: { ...general, ...headers, "x-request-id": requestId } })

const download = Effect.fnUntraced(function* ({ method, url }: Request) {
  const { body, code = "file_not_found", headers, status } = yield* (yield* StorageClient).get(url)
  if (status !== 200) return problem(status, code)
  return success(200, method === "HEAD" ? null : Uint8Array.from(body), headers)
})

const upload = Effect.fnUntraced(function* (request: Request, objectArrived: SolarSites["objectArrived"]) {
  const { headers, url } = request
  const body = new Uint8Array(yield* Effect.promise(() => request.arrayBuffer()))
  const { code, status } = yield* putFile({ url, headers: Object.fromEntries(headers), body }, objectArrived)
  return code === undefined ? success(status, null) : problem(status, code)
})

const answerTo = (
  request: Request,
  objectArrived: SolarSites["objectArrived"]
): Effect.Effect<Answer, never, StorageClient> => {
  switch (request.method) {
    case "PUT":
      return upload(request, objectArrived)
    case "GET":
    case "HEAD":
      return download(request)
    default:
      return Effect.succeed(problem(405, "method_not_allowed", { allow: "GET, HEAD, PUT" }))
  }
}

/** The request id of the caller when it is valid, as everywhere in the API. */
const requestIdOf = ({ headers }: Request): Effect.Effect<string> => {
  const sent = headers.get("x-request-id") ?? ""
  return /^[A-Za-z0-9-]{8,64}$/.test(sent) ? Effect.succeed(sent) : Effect.flatten(IdGenerator)
}

/** Answers a storage request. Fails only when the body cannot be read. */
export const answerStorage = Effect.fnUntraced(function* (
  request: Request,
  objectArrived: SolarSites["objectArrived"]
) {
  return (yield* answerTo(request, objectArrived))(yield* requestIdOf(request))
})

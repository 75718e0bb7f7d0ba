/**
 * The storage in memory, served like the folder storage by the HTTP binding.
 */
import type { SolarSites } from "@solar-sites/core"
import type { StorageApp, StorageRefused } from "@solar-sites/http-node"
import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { type StorageAnswer, StorageClient } from "../conformance/StorageClient.ts"
import * as MemoryDocumentStorage from "../memory/MemoryDocumentStorage.ts"
import { putFile } from "./Upload.ts"

const { origin } = MemoryDocumentStorage
const base = "/storage"

/** True for a request to a signed address. */
export const isStorageRequest = ({ url }: Request): boolean => url.startsWith(`${origin}/`)

/** The same request to the path at which the binding serves files. */
export const toServedPath = (request: Request): Request =>
  new Request(`http://localhost${base}${request.url.slice(origin.length)}`, request)

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

const refuse = (
  status: number,
  code: keyof typeof details,
  headers: Readonly<Record<string, string>> = {}
): Effect.Effect<never, StorageRefused> => {
  const words = code.replaceAll("_", " ")
  const title = words.slice(0, 1).toUpperCase() + words.slice(1)
  return Effect.fail({ _tag: "StorageRefused", status, code, title, detail: details[code], headers })
}

const download = Effect.fnUntraced(function* (url: string) {
  const { body, code = "file_not_found", headers, status } = yield* (yield* StorageClient).get(url)
  if (status !== 200) return yield* refuse(status, code)
  return HttpServerResponse.uint8Array(body, { headers })
})

const upload = Effect.fnUntraced(function* (
  url: string,
  request: HttpServerRequest.HttpServerRequest,
  objectArrived: SolarSites["objectArrived"]
) {
  const body = new Uint8Array(yield* Effect.orDie(request.arrayBuffer))
  const { code, status } = yield* putFile({ url, headers: { ...request.headers }, body }, objectArrived)
  return code === undefined ? HttpServerResponse.empty({ status }) : yield* refuse(status, code)
})

/** The option `storage` of the binding. */
export const storageOf =
  (client: StorageClient["Service"], objectArrived: SolarSites["objectArrived"]): StorageApp =>
  () =>
    Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
      const url = `${origin}${request.url.slice(base.length)}`
      switch (request.method) {
        case "PUT":
          return upload(url, request, objectArrived)
        case "GET":
        case "HEAD":
          return download(url)
        default:
          return refuse(405, "method_not_allowed", { allow: "GET, HEAD, PUT" })
      }
    }).pipe(Effect.provideService(StorageClient, client))

/**
 * Answers requests to the addresses of files as the embedded storage does, from
 * memory.
 */
import type { SolarSites } from "@solar-sites/core"
import { Effect } from "effect"
import { StorageClient } from "../conformance/StorageClient.ts"
import { memoryOrigin } from "../memory/MemoryOrigin.ts"
import { store } from "./Upload.ts"

/** True of a request that goes straight to storage. */
export const isStored = ({ url }: Request): boolean => url.startsWith(`${memoryOrigin}/`)

const problem = (status: number, code: string, headers: Readonly<Record<string, string>> = {}): Response => {
  const words = code.replaceAll("_", " ")
  const title = words.slice(0, 1).toUpperCase() + words.slice(1)
  const body = { type: `urn:solar-sites:problem:${code}`, title, status, code }
  const general = { "content-type": "application/problem+json", "cache-control": "no-store" }
  return new Response(JSON.stringify(body), { status, headers: { ...general, ...headers } })
}

const download = Effect.fnUntraced(function* ({ method, url }: Request) {
  const { body, code = "file_not_found", headers, status } = yield* (yield* StorageClient).get(url)
  if (status !== 200) return problem(status, code)
  return new Response(method === "HEAD" ? null : Uint8Array.from(body), { headers })
})

const upload = Effect.fnUntraced(function* (request: Request, objectArrived: SolarSites["objectArrived"]) {
  const { headers, url } = request
  const body = new Uint8Array(yield* Effect.promise(() => request.arrayBuffer()))
  const { code, status } = yield* store({ url, headers: Object.fromEntries(headers), body }, objectArrived)
  return code === undefined ? new Response(null, { status }) : problem(status, code)
})

/** Never fails but for a body that cannot be read. */
export const answerStorage = (
  request: Request,
  objectArrived: SolarSites["objectArrived"]
): Effect.Effect<Response, never, StorageClient> => {
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

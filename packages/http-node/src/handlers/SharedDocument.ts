/**
 * A document that is the same for every request: encoded once, compressed once per content coding
 * and shared by all responses, so that an unread response holds no copy.
 */
import { createHash } from "node:crypto"
import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"
import { Effect } from "effect"
import { Headers, HttpServerResponse } from "effect/http"
import { type Coding, codingFor } from "../pipeline/ContentCoding.ts"
import type { ServedEndpoint } from "../pipeline/Endpoint.ts"
import { isKnown } from "../pipeline/EntityTag.ts"
import { isNodeRequest } from "../pipeline/NodeBody.ts"
import { inChunks } from "../pipeline/Reply.ts"

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)
// The highest quality takes seconds and saves a few percent more.
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }

/**
 * Answers `GET` of a document by the headers of the request, with `ETag` and content coding. Each
 * coding is compressed on the first request that accepts it; with `isCompressed` none is.
 */
export const sharedDocument = Effect.fnUntraced(function* (
  bytes: Uint8Array,
  options: {
    readonly contentType: string
    readonly headers?: Readonly<Record<string, string>>
    /** True of a format that is compressed already, such as images. */
    readonly isCompressed?: boolean
  }
) {
  const digest = createHash("sha256").update(bytes).digest("base64url").slice(0, 22)
  const bodies: Record<Coding | "identity", Effect.Effect<Uint8Array>> = {
    br: yield* Effect.cached(Effect.promise(() => brotli(bytes, brotliOptions))),
    gzip: yield* Effect.cached(Effect.promise(() => zip(bytes))),
    identity: Effect.succeed(bytes)
  }
  return (
    request: Readonly<Record<string, string | undefined>>
  ): Effect.Effect<HttpServerResponse.HttpServerResponse> => {
    const coding = (options.isCompressed !== true && codingFor(request["accept-encoding"])) || "identity"
    const headers = { ...options.headers, etag: `"${digest}-${coding}"`, vary: "Accept-Encoding" }
    if (isKnown(request["if-none-match"], headers.etag)) {
      return Effect.succeed(HttpServerResponse.empty({ status: 304, headers }))
    }
    return Effect.map(bodies[coding], (body) =>
      HttpServerResponse.stream(inChunks(body), {
        contentType: options.contentType,
        contentLength: body.byteLength,
        headers: coding === "identity" ? headers : { ...headers, "content-encoding": coding }
      })
    )
  }
})

/**
 * The endpoint without content codings for requests of the fetch handler. Frameworks that pass the
 * response on may drop `Content-Encoding`, as Next.js does, or compress the body themselves.
 */
export const plainForFetch = (endpoint: ServedEndpoint): ServedEndpoint => ({
  ...endpoint,
  serve: (incoming) => {
    const { request } = incoming
    if (isNodeRequest(request.source)) return endpoint.serve(incoming)
    const headers = Headers.remove(request.headers, "accept-encoding")
    return endpoint.serve({ ...incoming, request: request.modify({ headers }) })
  }
})

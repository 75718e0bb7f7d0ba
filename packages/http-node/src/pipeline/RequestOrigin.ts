/**
 * The origin under which a request came, for storage that begins its addresses with it. A client
 * chooses `Host`, so the origin is only returned to the client that has sent it.
 */
import { RequestOrigin } from "@solar-sites/core"
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import type { HttpOptions } from "../Options.ts"
import { fromTrustedProxy, rememberingLast } from "./ClientAddress.ts"

type ServerRequest = HttpServerRequest.HttpServerRequest

// A name of 253 characters and a port.
const longestHost = 260

const isHost = (host: string): boolean =>
  host.length <= longestHost &&
  /^(?:\[[\da-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/i.test(host) &&
  URL.canParse(`http://${host}`)

/** A proxy appends to the header it receives, so the last value is its own. */
const lastOf = (header: string | undefined): string | undefined => header?.split(",").at(-1)?.trim()

const originWith = (scheme: string | undefined, host: string | undefined): string | undefined => {
  if (host === undefined || !isHost(host)) return undefined
  return new URL(`${scheme === "https" ? "https" : "http"}://${host}`).origin
}

/** `undefined` where the request names no valid host. */
const originOf = (options: HttpOptions): ((request: ServerRequest) => string | undefined) => {
  const isFromProxy = fromTrustedProxy(options)
  const direct = rememberingLast((host) => originWith("http", host))
  return (request) => {
    const { headers, source } = request
    // A fetch request carries its origin in its URL.
    if (source instanceof Request) return new URL(source.url).origin
    if (!isFromProxy(request)) return direct(headers["host"] ?? "")
    return originWith(lastOf(headers["x-forwarded-proto"]), lastOf(headers["x-forwarded-host"]) ?? headers["host"])
  }
}

/** Provides `RequestOrigin` where the host has switched it on. */
export const passingOrigin = (options: HttpOptions) => {
  const originOfRequest = originOf(options)
  return <A, E, R>(request: ServerRequest, answer: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    options.requestOrigin === true ? Effect.provideService(answer, RequestOrigin, originOfRequest(request)) : answer
}

/**
 * Warns of a proxy that the host has not named: its clients would share one
 * limit of failed authentications without anything saying so.
 */
import { Effect, Option } from "effect"
import type { HttpServerRequest } from "effect/http"
import type { HttpOptions } from "../Options.ts"
import { fromTrustedProxy } from "./ClientAddress.ts"

/** Logs once, with the first request that has `X-Forwarded-For` of a peer that is not trusted. */
export const warningOfProxies = (options: HttpOptions) => {
  const isFromProxy = fromTrustedProxy(options)
  let isDone = options.clientAddress !== undefined
  return <A, E, R>(request: HttpServerRequest.HttpServerRequest, answer: Effect.Effect<A, E, R>) => {
    if (isDone || request.headers["x-forwarded-for"] === undefined || isFromProxy(request)) return answer
    isDone = true
    const peer = Option.getOrElse(request.peerAddress, () => "an unknown address")
    const sentence = `X-Forwarded-For of ${peer} is ignored. If that is your proxy, name it in trustedProxies (TRUSTED_PROXIES)`
    return Effect.andThen(Effect.logWarning(`${sentence}; until then all its clients count as one address.`), answer)
  }
}

/**
 * Limits failed authentications per client address, before the next key is looked up
 * (specification, sections 7 and 8). A success costs nothing, and neither does a request without a
 * credential: any web page can send one. An address over its limit is remembered in process, so
 * that refusing it costs no look-up.
 */
import type { RateDecision, RateLimiter } from "@solar-sites/core"
import { Duration, Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { addressName, type ClientAddress } from "./ClientAddress.ts"
import { failureLimit } from "./FailureLimit.ts"
import { refuseTooMany } from "./RateLimit.ts"
import type { Refusal } from "./Refused.ts"

const quota = { limit: 300, window: Duration.minutes(1) }

const detail = "Too many failed authentications from this address; see Retry-After."

const isFailure = (refusal: Refusal): boolean =>
  refusal._tag === "ApiKeyInvalid" ||
  refusal._tag === "ApiKeyExpired" ||
  (refusal._tag === "HostRefused" && refusal.status === 401)

/** Refuses an address over its limit; otherwise runs the authentication and counts a failure. */
export type AddressLimit = <A, R>(
  request: HttpServerRequest.HttpServerRequest,
  authentication: Effect.Effect<A, Refusal, R>
) => Effect.Effect<A, Refusal, R>

export const addressLimitOf = (limiter: RateLimiter["Service"], addressOf: ClientAddress): AddressLimit => {
  const failures = failureLimit(limiter, "address", quota)

  const count = (name: string, refusal: Refusal) =>
    Effect.flatMap(failures.count(name), ({ allowed, retryAfter }: RateDecision) =>
      allowed ? Effect.fail(refusal) : refuseTooMany("address", retryAfter, detail)
    )

  const nameOf = (request: HttpServerRequest.HttpServerRequest): string | undefined => {
    const address = addressOf(request)
    return address === undefined ? undefined : addressName(address)
  }

  return (request, authentication) => {
    // A failure is counted even when the client has closed the connection.
    const counted = Effect.catch(Effect.interruptible(authentication), (refusal) => {
      const name = isFailure(refusal) ? nameOf(request) : undefined
      return name === undefined ? Effect.fail(refusal) : count(name, refusal)
    })
    if (failures.isIdle()) return counted
    return Effect.flatMap(failures.waitOf(nameOf(request) ?? ""), (wait) =>
      wait === null ? counted : refuseTooMany("address", wait, detail)
    )
  }
}

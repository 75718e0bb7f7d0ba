/**
 * Stops an address that keeps failing to authenticate, before its next key is
 * looked at (specification, sections 7 and 8). A success costs nothing; an
 * address that has used up its failures is remembered here, so that refusing it
 * costs no look-up either.
 */
import type { RateDecision, RateLimiter } from "@solar-sites/core"
import { Clock, Duration, Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { addressName, type ClientAddress } from "./ClientAddress.ts"
import { refuseTooMany } from "./RateLimit.ts"
import type { Refusal } from "./Refused.ts"

const quota = { limit: 300, window: Duration.minutes(1) }
const interval = Duration.toMillis(quota.window) / quota.limit

/** The address stopped longest ago is forgotten first; the shared count still stands. */
const capacity = 10_000

const detail = "Too many failed authentications from this address; see Retry-After."

const isFailure = (refusal: Refusal): boolean =>
  refusal._tag === "ApiKeyInvalid" ||
  refusal._tag === "ApiKeyExpired" ||
  (refusal._tag === "Refused" && refusal.code === "api_key_missing")

/** In how many milliseconds the next failure would be allowed. */
const waitAfter = ({ allowed, remaining, resetAfter, retryAfter }: RateDecision): number => {
  if (!allowed) return Duration.toMillis(retryAfter)
  return remaining > 0 ? 0 : Duration.toMillis(resetAfter) - Duration.toMillis(quota.window) + interval
}

/** Judges the address of a request, then runs its authentication and counts the failure. */
export type AddressLimit = <A>(
  request: HttpServerRequest.HttpServerRequest,
  authentication: Effect.Effect<A, Refusal>
) => Effect.Effect<A, Refusal>

export const addressLimitOf = (limiter: RateLimiter["Service"], addressOf: ClientAddress): AddressLimit => {
  const stoppedUntil = new Map<string, number>()

  const stop = (name: string, until: number, now: number) => {
    stoppedUntil.delete(name)
    stoppedUntil.set(name, until)
    for (const [other, end] of stoppedUntil) {
      if (end > now && stoppedUntil.size <= capacity) return
      stoppedUntil.delete(other)
    }
  }

  const count = (name: string, refusal: Refusal) =>
    Effect.flatMap(limiter.take(`address:${name}`, quota), (decision) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const wait = waitAfter(decision)
        if (wait > 0) stop(name, now + wait, now)
        return decision.allowed ? Effect.fail(refusal) : refuseTooMany("address", decision.retryAfter, detail)
      })
    )

  const nameOf = (request: HttpServerRequest.HttpServerRequest): string | undefined => {
    const address = addressOf(request)
    return address === undefined ? undefined : addressName(address)
  }

  return (request, authentication) => {
    // Counting is not left out because the client has gone.
    const counted = Effect.catch(Effect.interruptible(authentication), (refusal) => {
      const name = isFailure(refusal) ? nameOf(request) : undefined
      return name === undefined ? Effect.fail(refusal) : count(name, refusal)
    })
    if (stoppedUntil.size === 0) return counted
    const until = stoppedUntil.get(nameOf(request) ?? "")
    if (until === undefined) return counted
    return Effect.flatMap(Clock.currentTimeMillis, (now) =>
      until > now ? refuseTooMany("address", Duration.millis(until - now), detail) : counted
    )
  }
}

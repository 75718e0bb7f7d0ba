/**
 * How often a key may ask (specification, section 8), and how an answer says it:
 * the fields `RateLimit` and `RateLimit-Policy` as the IETF's draft has them.
 */
import type { Caller, RateDecision, RateLimiter } from "@solar-sites/core"
import { Duration, Effect, Metric } from "effect"
import { Refused } from "./Refused.ts"

const window = Duration.minutes(1)
const defaultPerMinute = 600

const refusals = Metric.counter("solar_sites_rate_limit_refusals", {
  description: "Requests that were refused for being too many, by the limit that refused them",
  incremental: true
})

const seconds = (duration: Duration.Duration): number => Math.max(1, Math.ceil(Duration.toSeconds(duration)))

/** The refusal of what comes too often; `limit` says which one it was. */
export const refuseTooMany = (
  limit: "key" | "address",
  retryAfter: Duration.Duration,
  detail?: string
): Effect.Effect<never, Refused> =>
  Effect.andThen(
    Metric.update(Metric.withAttributes(refusals, { limit }), 1),
    Effect.suspend(() =>
      Effect.fail(
        new Refused({
          code: "rate_limited",
          headers: { "retry-after": `${seconds(retryAfter)}` },
          ...(detail === undefined ? {} : { detail })
        })
      )
    )
  )

/** The limit on keys. */
export interface KeyLimit {
  /** Takes one for a caller that came with a key; `null` for any other, who has no limit. */
  readonly take: (caller: Caller) => Effect.Effect<RateDecision | null>
  readonly headersOf: (decision: RateDecision) => Readonly<Record<string, string>>
}

/** True unless the host has switched the limits off. Throws when the setting is no whole number. */
export const isLimited = (perMinute: number = defaultPerMinute): boolean => {
  if (Number.isSafeInteger(perMinute) && perMinute >= 0) return perMinute > 0
  throw new TypeError(`rateLimitPerMinute: ${perMinute} is no whole number`)
}

export const keyLimitOf = (limiter: RateLimiter["Service"], perMinute: number = defaultPerMinute): KeyLimit => {
  const quota = { limit: perMinute, window }
  const policy = `"key";q=${perMinute};w=${Duration.toSeconds(window)}`
  const none = Effect.succeed(null)
  return {
    take: ({ apiKeyId, organisationId }) =>
      apiKeyId === null || perMinute === 0 ? none : limiter.take(`key:${organisationId}:${apiKeyId}`, quota),
    headersOf: ({ remaining, resetAfter }) => ({
      "ratelimit-policy": policy,
      ratelimit: `"key";r=${remaining};t=${Math.ceil(Duration.toSeconds(resetAfter))}`
    })
  }
}

/**
 * Rate limits of a key and of all keys of an organisation together (specification, section 8). The
 * headers `RateLimit` and `RateLimit-Policy` follow the IETF draft and describe the limit that
 * allows less at the moment.
 */
import type { Caller, RateDecision, RateLimiter } from "@solar-sites/core"
import { Duration, Effect, Metric } from "effect"
import { Refused } from "./Refused.ts"

const window = Duration.minutes(1)
const defaultPerMinute = 600

/** Limit of an organisation as a multiple of the limit of a key. */
const organisationFactor = 10

const refusals = Metric.counter("solar_sites_rate_limit_refusals", {
  description: "Requests that were refused for being too many, by the limit that refused them",
  incremental: true
})

const seconds = (duration: Duration.Duration): number => Math.max(1, Math.ceil(Duration.toSeconds(duration)))

type LimitName = "key" | "organisation" | "address"

/** Refuses with 429 and counts the refusal by `limit`. */
export const refuseTooMany = (
  limit: LimitName,
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

/** Result of the limits for one request. */
interface KeyLimits {
  readonly headers: Readonly<Record<string, string>>
  /** Null when the request is allowed. */
  readonly refusal: Effect.Effect<never, Refused> | null
}

/** Counts a request of a caller with an API key; `null` for other callers, which have no limit. */
export type KeyLimit = (caller: Caller) => Effect.Effect<KeyLimits | null>

/** False when the limits are switched off. Throws a TypeError unless the setting is a whole number from 0. */
export const isLimited = (perMinute: number = defaultPerMinute): boolean => {
  if (Number.isSafeInteger(perMinute) && perMinute >= 0) return perMinute > 0
  throw new TypeError(`rateLimitPerMinute: ${perMinute} is no whole number`)
}

const details = {
  key: undefined,
  organisation: "The keys of your organisation together ask too often; see Retry-After."
}

export const keyLimitOf = (limiter: RateLimiter["Service"], perMinute: number = defaultPerMinute): KeyLimit => {
  const limits = { key: perMinute, organisation: perMinute * organisationFactor }
  const quotas = {
    key: { limit: limits.key, window },
    organisation: { limit: limits.organisation, window }
  }

  const limitsOf = (
    name: "key" | "organisation",
    { allowed, remaining, resetAfter, retryAfter }: RateDecision
  ): KeyLimits => ({
    headers: {
      "ratelimit-policy": `"${name}";q=${limits[name]};w=${Duration.toSeconds(window)}`,
      ratelimit: `"${name}";r=${remaining};t=${Math.ceil(Duration.toSeconds(resetAfter))}`
    },
    refusal: allowed ? null : refuseTooMany(name, retryAfter, details[name])
  })

  const none = Effect.succeed(null)
  if (perMinute === 0) return () => none
  return ({ apiKeyId, organisationId }) => {
    if (apiKeyId === null) return none
    const organisation = { bucket: `organisation:${organisationId}`, quota: quotas.organisation }
    return Effect.map(limiter.take(`key:${organisationId}:${apiKeyId}`, quotas.key, organisation), (decision) =>
      limitsOf(decision.bucket === organisation.bucket ? "organisation" : "key", decision)
    )
  }
}

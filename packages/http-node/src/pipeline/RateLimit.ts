/**
 * How often a key, and all keys of an organisation together, may ask (specification,
 * section 8), and how an answer says it: the fields `RateLimit` and `RateLimit-Policy`
 * as the IETF's draft has them, of the limit that allows less at the moment.
 */
import type { Caller, RateDecision, RateLimiter } from "@solar-sites/core"
import { Duration, Effect, Metric } from "effect"
import { Refused } from "./Refused.ts"

const window = Duration.minutes(1)
const defaultPerMinute = 600

/** How many times what one of its keys has an organisation has. */
const organisationFactor = 10

const refusals = Metric.counter("solar_sites_rate_limit_refusals", {
  description: "Requests that were refused for being too many, by the limit that refused them",
  incremental: true
})

const seconds = (duration: Duration.Duration): number => Math.max(1, Math.ceil(Duration.toSeconds(duration)))

type LimitName = "key" | "organisation" | "address"

/** The refusal of what comes too often; `limit` says which one it was. */
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

/** What the limits say of a request with a key. */
interface KeyLimits {
  readonly headers: Readonly<Record<string, string>>
  /** The refusal; null where the request is allowed. */
  readonly refusal: Effect.Effect<never, Refused> | null
}

/** Takes one for a caller that came with a key; `null` for any other, who has no limit. */
export type KeyLimit = (caller: Caller) => Effect.Effect<KeyLimits | null>

/** True unless the host has switched the limits off. Throws when the setting is no whole number. */
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

  const tell = (
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
      tell(decision.bucket === organisation.bucket ? "organisation" : "key", decision)
    )
  }
}

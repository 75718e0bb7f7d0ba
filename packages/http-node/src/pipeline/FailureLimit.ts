/**
 * Counts failures by name (an address, an account) and remembers who has used
 * them up, so that stopping somebody costs no look-up. A success costs nothing.
 *
 * @since 0.1.0
 */
import type { RateDecision, RateLimiter, RateQuota } from "@solar-sites/core"
import { Clock, Duration, Effect } from "effect"

/** The name stopped longest ago is forgotten first; the shared count still stands. */
const capacity = 10_000

/** In how many milliseconds the next failure would be allowed. */
const waitAfter = (
  { allowed, remaining, resetAfter, retryAfter }: RateDecision,
  { limit, window }: RateQuota
): number => {
  if (!allowed) return Duration.toMillis(retryAfter)
  const milliseconds = Duration.toMillis(window)
  return remaining > 0 ? 0 : Duration.toMillis(resetAfter) - milliseconds + milliseconds / limit
}

/**
 * @category models
 * @since 0.1.0
 */
export interface FailureLimit {
  /** True while nobody at all is stopped. */
  readonly isIdle: () => boolean
  /** How long the name has to wait before its next attempt; null when it need not. */
  readonly waitOf: (name: string) => Effect.Effect<Duration.Duration | null>
  /** Counts a failure, and stops the name when it was the last one allowed. */
  readonly count: (name: string) => Effect.Effect<RateDecision>
}

/**
 * `bucket` names the kind of limit among all that the limiter counts.
 *
 * @category constructors
 * @since 0.1.0
 */
export const failureLimit = (limiter: RateLimiter["Service"], bucket: string, quota: RateQuota): FailureLimit => {
  const stoppedUntil = new Map<string, number>()

  const stop = (name: string, until: number, now: number) => {
    stoppedUntil.delete(name)
    stoppedUntil.set(name, until)
    for (const [other, end] of stoppedUntil) {
      if (end > now && stoppedUntil.size <= capacity) return
      stoppedUntil.delete(other)
    }
  }

  return {
    isIdle: () => stoppedUntil.size === 0,

    waitOf: (name) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        const until = stoppedUntil.get(name)
        return until !== undefined && until > now ? Duration.millis(until - now) : null
      }),

    count: (name) =>
      Effect.tap(limiter.take(`${bucket}:${name}`, quota), (decision) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          const wait = waitAfter(decision, quota)
          if (wait > 0) stop(name, now + wait, now)
        })
      )
  }
}

/**
 * Limits failures by name (an address, an account). A name over its limit is remembered in process,
 * so that refusing it costs no look-up. A success costs nothing.
 */
import { millisUntilAllowed, type RateDecision, type RateLimiter, type RateQuota } from "@solar-sites/core"
import { Clock, Duration, Effect } from "effect"

/** Names remembered in process; the one stopped longest ago is forgotten first. The shared count remains. */
const capacity = 10_000

export interface FailureLimit {
  /** True while no name is stopped. */
  readonly isIdle: () => boolean
  /** Time until the next attempt of a name is allowed; null when it is allowed now. */
  readonly waitOf: (name: string) => Effect.Effect<Duration.Duration | null>
  /** Counts a failure; the last one allowed stops the name. */
  readonly count: (name: string) => Effect.Effect<RateDecision>
}

/** `bucket` distinguishes this limit from others of the same limiter. */
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
          const wait = millisUntilAllowed(decision, quota)
          if (wait > 0) stop(name, now + wait, now)
        })
      )
  }
}

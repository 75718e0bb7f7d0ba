/**
 * Counts what is done too often: the requests of a key, the failed
 * authentications of an address (specification, section 8).
 *
 * @since 0.1.0
 */
import { Clock, Context, Duration, Effect, Layer } from "effect"

/**
 * `limit` at once and, over time, as many per `window`.
 *
 * @category models
 * @since 0.1.0
 */
export interface RateQuota {
  readonly limit: number
  readonly window: Duration.Duration
}

/**
 * A bucket by its name, and how much it holds.
 *
 * @category models
 * @since 0.1.0
 */
export interface RateBucket {
  readonly bucket: string
  readonly quota: RateQuota
}

/**
 * What is known of `bucket`: `remaining` could be taken right now; `retryAfter` is
 * how long to wait for the next one (zero when allowed), `resetAfter` until all
 * could be.
 *
 * @category models
 * @since 0.1.0
 */
export interface RateDecision {
  readonly bucket: string
  readonly allowed: boolean
  readonly remaining: number
  readonly retryAfter: Duration.Duration
  readonly resetAfter: Duration.Duration
}

/**
 * What is known of a bucket: the instant (in milliseconds) at which it will be
 * full again. One that has passed is as good as none.
 *
 * @category algorithm
 * @since 0.1.0
 */
export const decideRate = (
  fullAt: number | undefined,
  now: number,
  { limit, window }: RateQuota
): Omit<RateDecision, "bucket"> & { readonly fullAt: number } => {
  const interval = Duration.toMillis(window) / limit
  const missing = Math.max(0, (fullAt ?? now) - now)
  // An instant of today cannot hold an interval to the last digit, and a burst adds up what is lost of each. The clock
  // counts whole milliseconds, so half of one lets nothing through too early.
  const tolerance = Math.min(interval, 1) / 2
  // One is there when what is missing leaves room for it.
  const allowed = missing <= Duration.toMillis(window) - interval + tolerance
  const after = allowed ? missing + interval : missing
  return {
    allowed,
    remaining: Math.max(0, Math.floor((Duration.toMillis(window) - after + tolerance) / interval)),
    retryAfter: Duration.millis(allowed ? 0 : Math.ceil(missing + interval - Duration.toMillis(window))),
    resetAfter: Duration.millis(Math.ceil(after)),
    fullAt: now + after
  }
}

const capacity = 100_000

/** The refusal that lasts longest or, where both buckets allow it, the one that has less left. */
const tighter = (one: RateDecision, other: RateDecision): RateDecision => {
  if (one.allowed !== other.allowed) return one.allowed ? other : one
  if (one.allowed) return other.remaining < one.remaining ? other : one
  return Duration.isGreaterThan(other.retryAfter, one.retryAfter) ? other : one
}

/**
 * @category services
 * @since 0.1.0
 */
export class RateLimiter extends Context.Service<
  RateLimiter,
  {
    /**
     * Takes one from a bucket, if there is one. With `within`, takes one from that
     * bucket as well, or from neither; the decision is that of the bucket that
     * refuses, or of the one that has less left. Never fails and never waits more
     * than 100 ms: where buckets are shared and cannot be reached, this process
     * counts for itself.
     */
    readonly take: (bucket: string, quota: RateQuota, within?: RateBucket) => Effect.Effect<RateDecision>
  }
>()("@solar-sites/core/RateLimiter") {
  /** Buckets of this process alone. At most 100,000 are remembered; the one used longest ago is forgotten first. */
  static readonly layerInProcess: Layer.Layer<RateLimiter> = Layer.sync(RateLimiter, () => {
    const buckets = new Map<string, number>()

    const forgetFull = (now: number) => {
      for (const [bucket, fullAt] of buckets) {
        if (fullAt > now && buckets.size < capacity) return
        buckets.delete(bucket)
      }
    }

    const look = ({ bucket, quota }: RateBucket, now: number) => {
      const { fullAt, ...decision } = decideRate(buckets.get(bucket), now, quota)
      return { fullAt, decision: { bucket, ...decision } }
    }

    const note = (bucket: string, fullAt: number) => {
      // Taken out and put in again, so that the map is in the order of last use.
      buckets.delete(bucket)
      buckets.set(bucket, fullAt)
    }

    return RateLimiter.of({
      take: (bucket, quota, within) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          const own = look({ bucket, quota }, now)
          const outer = within === undefined ? own : look(within, now)
          const decision = tighter(own.decision, outer.decision)
          // What allows it stays as it was where the other refuses.
          if (decision.allowed || !own.decision.allowed) note(bucket, own.fullAt)
          if (within !== undefined && (decision.allowed || !outer.decision.allowed)) note(within.bucket, outer.fullAt)
          forgetFull(now)
          return decision
        })
    })
  })
}

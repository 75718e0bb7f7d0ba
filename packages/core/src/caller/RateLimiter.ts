/**
 * Rate limits: requests per key and failed authentications per address (specification, section 8).
 */
import { Clock, Context, Duration, Effect, Layer } from "effect"

/** A burst of `limit`, and `limit` per `window` over time. */
export interface RateQuota {
  readonly limit: number
  readonly window: Duration.Duration
}

/** Name and quota of a bucket. */
export interface RateBucket {
  readonly bucket: string
  readonly quota: RateQuota
}

/**
 * State of `bucket` after the decision. `remaining` can be taken now. `retryAfter` is the wait for
 * the next one (zero when allowed), `resetAfter` the wait until the bucket is full.
 */
export interface RateDecision {
  readonly bucket: string
  readonly allowed: boolean
  readonly remaining: number
  readonly retryAfter: Duration.Duration
  readonly resetAfter: Duration.Duration
}

/**
 * The rate algorithm (GCRA). The state of a bucket is the instant at which it is full again, in
 * milliseconds. An instant in the past equals no state.
 */
export const decideRate = (
  fullAt: number | undefined,
  now: number,
  { limit, window }: RateQuota
): Omit<RateDecision, "bucket"> & { readonly fullAt: number } => {
  const interval = Duration.toMillis(window) / limit
  const missing = Math.max(0, (fullAt ?? now) - now)
  // Doubles cannot represent an instant plus an interval exactly, and the error adds up over a
  // burst. The clock has whole milliseconds, so a tolerance of half a millisecond allows nothing
  // too early.
  const tolerance = Math.min(interval, 1) / 2
  // Allowed when the bucket holds at least one.
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

/** Milliseconds after a decision until the bucket allows one; 0 when it does at once. */
export const millisUntilAllowed = (
  { allowed, remaining, resetAfter, retryAfter }: Omit<RateDecision, "bucket">,
  { limit, window }: RateQuota
): number => {
  if (!allowed) return Duration.toMillis(retryAfter)
  const milliseconds = Duration.toMillis(window)
  return remaining > 0 ? 0 : Duration.toMillis(resetAfter) - milliseconds + milliseconds / limit
}

const capacity = 100_000
const nanosPerMillisecond = 1_000_000n

/** The refusal with the longer wait; when both allow, the decision with less remaining. */
const stricter = (one: RateDecision, other: RateDecision): RateDecision => {
  if (one.allowed !== other.allowed) return one.allowed ? other : one
  if (one.allowed) return other.remaining < one.remaining ? other : one
  return Duration.isGreaterThan(other.retryAfter, one.retryAfter) ? other : one
}

export class RateLimiter extends Context.Service<
  RateLimiter,
  {
    /**
     * Takes one from the bucket. With `within`, takes one from both buckets or from neither.
     * Returns the decision of the refusing bucket or, when both allow, of the one with less
     * remaining. Never fails and never waits more than 100 ms: when shared buckets are unreachable,
     * counts in process.
     */
    readonly take: (bucket: string, quota: RateQuota, within?: RateBucket) => Effect.Effect<RateDecision>
  }
>()("@solar-sites/core/RateLimiter") {
  /** Buckets of this process. Keeps at most 100,000 and evicts the least recently used. */
  static readonly layerInProcess: Layer.Layer<RateLimiter> = Layer.sync(RateLimiter, () => {
    const buckets = new Map<string, number>()

    const evict = (now: number) => {
      for (const [bucket, fullAt] of buckets) {
        if (fullAt > now && buckets.size < capacity) return
        buckets.delete(bucket)
      }
    }

    const decide = ({ bucket, quota }: RateBucket, now: number) => {
      const { fullAt, ...decision } = decideRate(buckets.get(bucket), now, quota)
      return { fullAt, decision: { bucket, ...decision } }
    }

    const store = (bucket: string, fullAt: number) => {
      // Reinserted, so that the map stays in the order of last use.
      buckets.delete(bucket)
      buckets.set(bucket, fullAt)
    }

    return RateLimiter.of({
      take: (bucket, quota, within) =>
        // A wall clock that is set back would refuse everything until it is there again.
        Effect.map(Clock.monotonicTimeNanos, (nanos) => {
          const now = Number(nanos / nanosPerMillisecond)
          const own = decide({ bucket, quota }, now)
          const outer = within === undefined ? own : decide(within, now)
          const decision = stricter(own.decision, outer.decision)
          // A bucket that allows keeps its state when the other one refuses.
          if (decision.allowed || !own.decision.allowed) store(bucket, own.fullAt)
          if (within !== undefined && (decision.allowed || !outer.decision.allowed)) store(within.bucket, outer.fullAt)
          evict(now)
          return decision
        })
    })
  })
}

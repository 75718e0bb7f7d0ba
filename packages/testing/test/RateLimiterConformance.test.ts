import { type RateDecision, RateLimiter } from "@solar-sites/core"
import { rateLimiterConformance } from "@solar-sites/testing"
import { Clock, Duration, Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import { failedCases } from "./failedCases.ts"
import { leapingClock } from "./leapingClock.ts"

type Limiter = RateLimiter["Service"]

const burst = "allows exactly the burst"
const atOnce = "allows exactly the burst with concurrent calls"
const waits = "reports the wait for the next one and for all"
const refill = "allows the next one after the reported wait, and not before"
const oneByOne = "refills one by one, each after its share of the window"
const refusals = "takes nothing for a refused call"
const apart = "keeps buckets with unusual names apart"

const altered =
  (alter: (decision: RateDecision) => Partial<RateDecision>) =>
  (intact: Limiter): Limiter => ({
    take: (...taken) => Effect.map(intact.take(...taken), (decision) => ({ ...decision, ...alter(decision) }))
  })

const breakages: ReadonlyArray<{
  readonly breakage: string
  readonly replace: (intact: Limiter) => Limiter
  readonly noticedBy: ReadonlyArray<string>
}> = [
  { breakage: "refuses nothing", replace: altered(() => ({ allowed: true })), noticedBy: [burst, atOnce, refill] },
  { breakage: "refuses everybody", replace: altered(() => ({ allowed: false })), noticedBy: [burst, refill] },
  {
    breakage: "lets one too many through",
    replace: ({ take }) => ({ take: (bucket, quota) => take(bucket, { ...quota, limit: quota.limit + 1 }) }),
    noticedBy: [burst, atOnce, "counts exactly with quotas without an exact interval"]
  },
  {
    breakage: "has one bucket for all",
    replace: ({ take }) => ({ take: (_, quota) => take("one", quota) }),
    noticedBy: [apart]
  },
  {
    breakage: "cuts names at the first odd character",
    replace: ({ take }) => ({ take: (bucket, quota) => take(bucket.replace(/[^a-z0-9:-].*$/s, ""), quota) }),
    noticedBy: [apart]
  },
  {
    breakage: "normalises names",
    replace: ({ take }) => ({ take: (bucket, quota) => take(bucket.normalize("NFC"), quota) }),
    noticedBy: [apart]
  },
  {
    breakage: "looks first and takes later",
    replace: ({ take }) => {
      const taken = new Map<string, number>()
      return {
        take: (bucket, quota) =>
          Effect.gen(function* () {
            const before = taken.get(bucket) ?? 0
            yield* Effect.yieldNow
            taken.set(bucket, before + 1)
            const decision = yield* take(`${bucket} ${before}`, quota)
            return { ...decision, allowed: before < quota.limit, remaining: Math.max(0, quota.limit - before - 1) }
          })
      }
    },
    noticedBy: [atOnce]
  },
  {
    breakage: "forgets the whole bucket at the first refusal",
    replace: ({ take }) => {
      const rounds = new Map<string, number>()
      return {
        take: (bucket, quota) =>
          Effect.tap(take(`${bucket} ${rounds.get(bucket) ?? 0}`, quota), ({ allowed }) =>
            Effect.sync(() => {
              if (!allowed) rounds.set(bucket, (rounds.get(bucket) ?? 0) + 1)
            })
          )
      }
    },
    noticedBy: [burst, refill, refusals]
  },
  {
    breakage: "punishes who comes too early",
    replace: ({ take }) => {
      const refused = new Map<string, number>()
      return {
        take: (bucket, quota) =>
          Effect.map(take(bucket, quota), (decision) => {
            const count = (refused.get(bucket) ?? 0) + (decision.allowed ? 0 : 1)
            refused.set(bucket, count)
            return { ...decision, retryAfter: Duration.times(decision.retryAfter, Math.max(1, count)) }
          })
      }
    },
    noticedBy: [refusals]
  },
  {
    breakage: "does not know how long to wait",
    replace: altered(() => ({ retryAfter: Duration.zero })),
    noticedBy: [waits, refill]
  },
  {
    breakage: "says it is full again",
    replace: altered(() => ({ resetAfter: Duration.zero })),
    noticedBy: [waits]
  },
  {
    breakage: "counts in fixed windows, and reports the waits of a steadily refilled bucket",
    replace: () => {
      const windows = new Map<string, { readonly start: number; readonly taken: number }>()
      return {
        take: (bucket, { limit, window }) =>
          Effect.map(Clock.currentTimeMillis, (now) => {
            const last = windows.get(bucket)
            const isOver = last === undefined || now - last.start >= Duration.toMillis(window)
            const { start, taken } = isOver ? { start: now, taken: 0 } : last
            const allowed = taken < limit
            const interval = Duration.divideUnsafe(window, limit)
            windows.set(bucket, { start, taken: allowed ? taken + 1 : taken })
            return {
              bucket,
              allowed,
              remaining: allowed ? limit - taken - 1 : 0,
              retryAfter: allowed ? Duration.zero : interval,
              resetAfter: Duration.times(interval, Math.min(limit, taken + 1))
            }
          })
      }
    },
    noticedBy: [oneByOne]
  },
  {
    breakage: "begins the wait anew with every refusal",
    replace: ({ take }) => {
      const refusedAt = new Map<string, number>()
      return {
        take: Effect.fnUntraced(function* (bucket, quota) {
          const now = yield* Clock.currentTimeMillis
          const interval = Duration.toMillis(quota.window) / quota.limit
          const isEarly = now < (refusedAt.get(bucket) ?? 0) + interval
          const decision = isEarly ? null : yield* take(bucket, quota)
          if (decision?.allowed) return decision
          refusedAt.set(bucket, now)
          return {
            bucket,
            allowed: false,
            remaining: 0,
            retryAfter: Duration.millis(interval),
            resetAfter: quota.window
          }
        })
      }
    },
    noticedBy: ["measures the wait from what was taken, not from the last refusal"]
  },
  {
    breakage: "brings back more than the burst while nothing is taken",
    replace: () => {
      const buckets = new Map<string, { readonly at: number; readonly left: number }>()
      return {
        take: (bucket, { limit, window }) =>
          Effect.map(Clock.currentTimeMillis, (now) => {
            const interval = Duration.toMillis(window) / limit
            const last = buckets.get(bucket) ?? { at: now, left: limit }
            const left = last.left + (now - last.at) / interval
            const allowed = left >= 1
            const after = allowed ? left - 1 : left
            buckets.set(bucket, { at: now, left: after })
            return {
              bucket,
              allowed,
              remaining: Math.max(0, Math.floor(after)),
              retryAfter: Duration.millis(allowed ? 0 : Math.ceil((1 - left) * interval)),
              resetAfter: Duration.millis(Math.max(0, Math.ceil((limit - after) * interval)))
            }
          })
      }
    },
    noticedBy: ["refills no more than the burst, after any time"]
  },
  {
    breakage: "reports one remaining too few",
    replace: altered(({ remaining }) => ({ remaining: remaining + 1 })),
    noticedBy: [burst, atOnce]
  }
]

const both = "takes from a second bucket too, and reports the one with less remaining"
const neither = "takes from neither of two buckets when one of them refuses"

const within: typeof breakages = [
  {
    breakage: "ignores a second bucket",
    replace: ({ take }) => ({ take: (bucket, quota) => take(bucket, quota) }),
    noticedBy: [both, neither, "allows exactly the burst of a second bucket with concurrent calls"]
  },
  {
    breakage: "takes from the bucket before it looks at the second one",
    replace: ({ take }) => ({
      take: (bucket, quota, second) =>
        Effect.flatMap(take(bucket, quota), (own) =>
          own.allowed && second !== undefined
            ? Effect.map(take(second.bucket, second.quota), (outer) =>
                outer.allowed && own.remaining <= outer.remaining ? own : outer
              )
            : Effect.succeed(own)
        )
    }),
    noticedBy: [neither]
  },
  {
    breakage: "takes from the second bucket before it looks at the bucket",
    replace: ({ take }) => ({
      take: (bucket, quota, second) =>
        second === undefined
          ? take(bucket, quota)
          : Effect.flatMap(take(second.bucket, second.quota), (outer) =>
              outer.allowed ? take(bucket, quota) : Effect.succeed(outer)
            )
    }),
    noticedBy: [both, neither]
  },
  {
    breakage: "always reports the first bucket",
    replace: ({ take }) => ({
      take: (bucket, ...rest) => Effect.map(take(bucket, ...rest), (decision) => ({ ...decision, bucket }))
    }),
    noticedBy: [both, neither]
  }
]

describe("the RateLimiter suite notices a limiter that", () => {
  for (const { breakage, noticedBy, replace } of [...breakages, ...within]) {
    it(breakage, async () => {
      const broken = Layer.effect(RateLimiter, Effect.map(Effect.service(RateLimiter), replace)).pipe(
        Layer.provide(RateLimiter.layerInProcess)
      )
      const layer = Layer.merge(broken, leapingClock)
      expect(await failedCases(rateLimiterConformance, layer, noticedBy)).toEqual(
        expect.arrayContaining([...noticedBy])
      )
    })
  }
})

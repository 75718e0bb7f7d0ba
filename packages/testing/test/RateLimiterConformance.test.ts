import { type RateDecision, RateLimiter } from "@solar-sites/core"
import { rateLimiterConformance } from "@solar-sites/testing"
import { Duration, Effect, Exit, Layer } from "effect"
import { describe, expect, it } from "vitest"

type Limiter = RateLimiter["Service"]

const burst = "lets exactly the burst through"
const atOnce = "lets exactly the burst through when all come at once"
const waits = "says when the next may come, and when all may"
const refill = "lets the next through after the wait it named, and not before"
const refusals = "costs nothing to be refused"
const apart = "keeps buckets apart, whatever their names hold"

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
  { breakage: "refuses nobody", replace: altered(() => ({ allowed: true })), noticedBy: [burst, atOnce, refill] },
  { breakage: "refuses everybody", replace: altered(() => ({ allowed: false })), noticedBy: [burst, refill] },
  {
    breakage: "lets one too many through",
    replace: ({ take }) => ({ take: (bucket, quota) => take(bucket, { ...quota, limit: quota.limit + 1 }) }),
    noticedBy: [burst, atOnce, "counts exactly with quotas that divide badly"]
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
    breakage: "is always one behind with what is left",
    replace: altered(({ remaining }) => ({ remaining: remaining + 1 })),
    noticedBy: [burst, atOnce]
  }
]

const both = "takes from a second bucket as well, and tells of the one with less left"
const neither = "takes from neither of two buckets when one of them refuses"

const within: typeof breakages = [
  {
    breakage: "ignores a second bucket",
    replace: ({ take }) => ({ take: (bucket, quota) => take(bucket, quota) }),
    noticedBy: [both, neither, "lets exactly the burst of a second bucket through when all come at once"]
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
    breakage: "tells of the bucket whichever decides",
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
      const failed = await Effect.filter(rateLimiterConformance.cases, ({ check }) =>
        Effect.map(Effect.exit(Effect.provide(check, broken)), Exit.isFailure)
      ).pipe(Effect.runPromise)
      expect(failed.map(({ name }) => name)).toEqual(expect.arrayContaining([...noticedBy]))
    })
  }
})

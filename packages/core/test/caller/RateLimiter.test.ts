import { describe, expect, it } from "@effect/vitest"
import { RateLimiter } from "@solar-sites/core"
import { Duration, Effect } from "effect"
import { TestClock } from "effect/testing"

const quota = { limit: 3, window: Duration.minutes(1) }
const inProcess = Effect.provide(RateLimiter.layerInProcess)

describe("RateLimiter in process", () => {
  it.effect("lets exactly the burst through, and says when the next may come", () =>
    Effect.gen(function* () {
      const { take } = yield* RateLimiter
      const decisions = yield* Effect.forEach([1, 2, 3, 4], () => take("a", quota))
      expect(decisions.map(({ allowed, remaining }) => [allowed, remaining])).toEqual([
        [true, 2],
        [true, 1],
        [true, 0],
        [false, 0]
      ])
      expect(decisions.map(({ retryAfter }) => Duration.toSeconds(retryAfter))).toEqual([0, 0, 0, 20])
      expect(decisions.map(({ resetAfter }) => Duration.toSeconds(resetAfter))).toEqual([20, 40, 60, 60])
    }).pipe(inProcess)
  )

  it.effect("fills up evenly, to the brim and not beyond", () =>
    Effect.gen(function* () {
      const { take } = yield* RateLimiter
      const allowed = Effect.map(take("a", quota), (decision) => decision.allowed)
      for (const _ of [1, 2, 3]) yield* allowed
      yield* TestClock.adjust("19999 millis")
      expect(yield* allowed).toBe(false)
      yield* TestClock.adjust("1 millis")
      expect([yield* allowed, yield* allowed]).toEqual([true, false])
      yield* TestClock.adjust("1 hour")
      expect(yield* Effect.forEach([1, 2, 3, 4], () => allowed)).toEqual([true, true, true, false])
    }).pipe(inProcess)
  )

  it.effect("takes nothing for a refused call", () =>
    Effect.gen(function* () {
      const { take } = yield* RateLimiter
      for (let index = 0; index < 100; index++) yield* take("a", quota)
      yield* TestClock.adjust("20 seconds")
      expect((yield* take("a", quota)).allowed).toBe(true)
    }).pipe(inProcess)
  )

  it.effect("keeps buckets apart", () =>
    Effect.gen(function* () {
      const { take } = yield* RateLimiter
      for (let index = 0; index < 9; index++) yield* take("a", quota)
      expect((yield* take("b", quota)).remaining).toBe(2)
    }).pipe(inProcess)
  )

  it.effect("counts exactly with quotas without an exact interval", () =>
    Effect.gen(function* () {
      const { take } = yield* RateLimiter
      const odd = { limit: 7, window: Duration.seconds(1) }
      const decisions = yield* Effect.forEach(Array.from({ length: 9 }), () => take("a", odd))
      expect(decisions.map(({ allowed }) => allowed)).toEqual([true, true, true, true, true, true, true, false, false])
      expect(decisions.map(({ remaining }) => remaining)).toEqual([6, 5, 4, 3, 2, 1, 0, 0, 0])
    }).pipe(inProcess)
  )

  it.effect("goes on when the wall clock is set back", () =>
    Effect.gen(function* () {
      const { take } = yield* RateLimiter
      const quota = { limit: 2, window: Duration.minutes(1) }
      yield* TestClock.setTime(1_795_000_000_123)
      for (const expected of [true, true, false]) expect((yield* take("a", quota)).allowed).toBe(expected)
      yield* TestClock.setTime(1_794_996_400_123)
      yield* TestClock.adjust("30 seconds")
      expect((yield* take("a", quota)).allowed).toBe(true)
    }).pipe(inProcess)
  )

  it.effect("allows exactly the burst at a current instant, for any interval", () =>
    Effect.gen(function* () {
      const { take } = yield* RateLimiter
      yield* TestClock.setTime(1_795_000_000_123)
      for (const limit of [7, 700, 900]) {
        for (const window of [Duration.seconds(1), Duration.minutes(1)]) {
          const attempts = Array.from({ length: limit + 10 }, () => take(`${limit} per ${window}`, { limit, window }))
          const decisions = yield* Effect.all(attempts)
          expect(decisions.filter(({ allowed }) => allowed).length).toBe(limit)
          expect(decisions[0]?.remaining).toBe(limit - 1)
        }
      }
    }).pipe(inProcess)
  )

  it.effect("remembers a bounded number of buckets, the latest of them", () =>
    Effect.gen(function* () {
      const { take } = yield* RateLimiter
      for (let index = 0; index < 3; index++) yield* take("first", quota)
      for (let index = 0; index < 100_000; index++) yield* take(`bucket ${index}`, quota)
      expect((yield* take("bucket 99999", quota)).remaining).toBe(1)
      expect((yield* take("first", quota)).remaining).toBe(2)
    }).pipe(inProcess)
  )
})

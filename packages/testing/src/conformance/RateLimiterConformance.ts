/**
 * Promises of every `RateLimiter`. Each case uses its own buckets, so a suite can run on a shared
 * store. Windows are long where a burst is counted, so that no bucket refills meanwhile.
 */
import { type RateDecision, RateLimiter, type RateQuota } from "@solar-sites/core"
import { Clock, Duration, Effect } from "effect"
import { anOrganisationId } from "../fixtures.ts"
import { assert } from "./Assert.ts"
import type { ConformanceSuite } from "./Conformance.ts"

const aBucket = (): string => `conformance:${anOrganisationId()}`
const perHour = (limit: number): RateQuota => ({ limit, window: Duration.hours(1) })

/** Decisions of this number of sequential calls. */
const takeMany = Effect.fnUntraced(function* (count: number, bucket: string, quota: RateQuota) {
  const { take } = yield* RateLimiter
  return yield* Effect.forEach(Array.from({ length: count }), () => take(bucket, quota))
})

/** Never set back, unlike the wall clock. */
const nowMs = Effect.map(Clock.monotonicTimeNanos, (nanoseconds) => Number(nanoseconds) / 1e6)

const letThrough = (decisions: ReadonlyArray<RateDecision>): number => decisions.filter(({ allowed }) => allowed).length

/** Waits for the reported time and repeats while refused: the clock of a limiter can run behind. */
const waitUntilAllowed = Effect.fnUntraced(function* (bucket: string, quota: RateQuota) {
  const { take } = yield* RateLimiter
  for (let attempt = 0; attempt < 5; attempt++) {
    const decision = yield* take(bucket, quota)
    if (decision.allowed) return decision
    yield* Effect.sleep(decision.retryAfter)
  }
  return assert.fail("the caller waits as long as told\nexpected: it is let through\nactual: it is refused five times")
})

/** Instants have whole milliseconds, so a wait can be 1 ms too long. */
const rounding = 1

const isWithin = (duration: Duration.Duration, after: number, upTo: number, promise: string): void => {
  const millis = Duration.toMillis(duration)
  const expected = `more than ${after} ms, at most ${upTo + rounding} ms`
  assert.ok(millis > after && millis <= upTo + rounding, `${promise}\nexpected: ${expected}\nactual: ${millis} ms`)
}

/** Maximum difference between the clock of a limiter and the local one over a short time. */
const tolerated = 10

const minutes = (count: number): number => count * 60_000

export const rateLimiterConformance: ConformanceSuite<RateLimiter> = {
  port: "RateLimiter",
  cases: [
    {
      name: "allows exactly the burst",
      check: Effect.gen(function* () {
        const decisions = yield* takeMany(8, aBucket(), perHour(5))
        assert.deepEqual(
          decisions.map(({ allowed, remaining }) => [allowed, remaining]),
          [...[4, 3, 2, 1, 0].map((remaining) => [true, remaining]), ...[0, 0, 0].map((none) => [false, none])]
        )
      })
    },
    {
      name: "allows exactly the burst with concurrent calls",
      check: Effect.gen(function* () {
        const { take } = yield* RateLimiter
        const bucket = aBucket()
        const attempts = Array.from({ length: 60 }, () => take(bucket, perHour(25)))
        const decisions = yield* Effect.all(attempts, { concurrency: "unbounded" })
        assert.equal(letThrough(decisions), 25)
        const left = decisions.filter(({ allowed }) => allowed).map(({ remaining }) => remaining)
        assert.deepEqual(
          left.sort((one, other) => one - other),
          Array.from({ length: 25 }, (_, index) => index),
          "each of them is told another number of what is left"
        )
      })
    },
    {
      name: "counts exactly with quotas without an exact interval",
      check: Effect.gen(function* () {
        for (const limit of [7, 11, 70]) {
          for (const window of [Duration.hours(1), Duration.sum(Duration.days(1), Duration.millis(1))]) {
            const decisions = yield* takeMany(limit + 3, aBucket(), { limit, window })
            assert.equal(letThrough(decisions), limit, `${limit} in ${Duration.toMillis(window)} ms`)
            assert.equal(decisions[0]?.remaining, limit - 1)
          }
        }
      })
    },
    {
      name: "reports the wait for the next one and for all",
      check: Effect.gen(function* () {
        const decisions = yield* takeMany(4, aBucket(), perHour(3))
        const between = (duration: Duration.Duration = Duration.zero, after: number, upTo: number) =>
          isWithin(duration, minutes(after), minutes(upTo), "a third of an hour for each")
        // One minute for a slow machine; each takes a third of an hour to refill.
        for (const [index, { resetAfter }] of decisions.slice(0, 3).entries()) {
          between(resetAfter, 20 * (index + 1) - 1, 20 * (index + 1))
        }
        for (const { retryAfter } of decisions.slice(0, 3)) assert.equal(Duration.toMillis(retryAfter), 0)
        between(decisions[3]?.retryAfter, 19, 20)
        between(decisions[3]?.resetAfter, 59, 60)
      })
    },
    {
      name: "allows the next one after the reported wait, and not before",
      check: Effect.gen(function* () {
        const bucket = aBucket()
        const quota = { limit: 2, window: Duration.millis(800) }
        const started = yield* nowMs
        for (let index = 0; index < 4; index++) yield* waitUntilAllowed(bucket, quota)
        // A burst of two and one per 400 ms: the fourth is allowed after 800 ms, within the
        // precision of timers.
        const elapsed = (yield* nowMs) - started
        assert.ok(elapsed >= 790, `what was taken comes back one by one, not all at once after ${elapsed} ms`)
      })
    },
    {
      name: "refills one by one, each after its share of the window",
      check: Effect.gen(function* () {
        const { take } = yield* RateLimiter
        // With a burst of two, the third is allowed after 500 ms, not at the end of a window and
        // not together with a fourth.
        const quota = { limit: 2, window: Duration.seconds(1) }
        const bucket = aBucket()
        const started = yield* nowMs
        yield* takeMany(2, bucket, quota)
        let waited = 0
        let decision = yield* take(bucket, quota)
        while (!decision.allowed) {
          isWithin(decision.retryAfter, 0, 500 - waited + tolerated, "what is left to wait for the third")
          waited += Duration.toMillis(decision.retryAfter)
          yield* Effect.sleep(decision.retryAfter)
          decision = yield* take(bucket, quota)
        }
        // After a pause of a whole window, the fourth is refilled too.
        if ((yield* nowMs) - started < 1_000) {
          assert.equal(decision.remaining, 0, "the fourth has not come back with the third")
        }
      })
    },
    {
      name: "refills no more than the burst, after any time",
      check: Effect.gen(function* () {
        const { take } = yield* RateLimiter
        const quota = { limit: 2, window: Duration.millis(100) }
        const bucket = aBucket()
        yield* take(bucket, quota)
        yield* Effect.sleep(Duration.seconds(1))
        assert.equal((yield* take(bucket, quota)).remaining, 1, "one of two is taken after ten windows of rest")
      })
    },
    {
      name: "takes nothing for a refused call",
      check: Effect.gen(function* () {
        const bucket = aBucket()
        const decisions = yield* takeMany(102, bucket, perHour(2))
        assert.equal(letThrough(decisions), 2)
        const { retryAfter, resetAfter } = decisions[101] ?? assert.fail("there are 102 decisions")
        isWithin(retryAfter, 0, minutes(30), "a refusal does not put the next one off")
        isWithin(resetAfter, 0, minutes(60), "nor is more missing than there can be")
      })
    },
    {
      name: "measures the wait from what was taken, not from the last refusal",
      check: Effect.gen(function* () {
        const { take } = yield* RateLimiter
        const bucket = aBucket()
        const refusal = (yield* takeMany(3, bucket, perHour(2)))[2] ?? assert.fail("there are 3 decisions")
        const since = yield* nowMs
        yield* Effect.sleep(Duration.millis(100))
        const passed = (yield* nowMs) - since
        const again = yield* take(bucket, perHour(2))
        for (const wait of ["retryAfter", "resetAfter"] as const) {
          const left = Duration.toMillis(refusal[wait]) - passed + tolerated
          isWithin(again[wait], 0, left, `${wait} has become less by the ${passed} ms that have passed`)
        }
      })
    },
    {
      name: "keeps buckets with unusual names apart",
      check: Effect.gen(function* () {
        const { take } = yield* RateLimiter
        const bucket = aBucket()
        const names = ["", ":", "*", " ", "\n", "\u0000", "é", "e\u0301", "{a}", "%s", "'", "☀️"]
        for (const name of names) {
          const decisions = yield* takeMany(2, bucket + name, perHour(2))
          assert.equal(letThrough(decisions), 2, `${JSON.stringify(name)} is full, whichever other bucket was used`)
        }
        for (const name of names) {
          assert.equal((yield* take(bucket + name, perHour(2))).allowed, false, `${JSON.stringify(name)} is empty`)
        }
        assert.equal((yield* take(aBucket(), perHour(2))).remaining, 1, "another bucket is full")
      })
    },
    {
      name: "takes from a second bucket too, and reports the one with less remaining",
      check: Effect.gen(function* () {
        const { take } = yield* RateLimiter
        const [one, other] = [aBucket(), aBucket()]
        const within = { bucket: aBucket(), quota: perHour(4) }
        const taken: Array<readonly [string, boolean, number]> = []
        for (const bucket of [one, one, other, other, other]) {
          const decision = yield* take(bucket, perHour(3), within)
          taken.push([decision.bucket, decision.allowed, decision.remaining])
        }
        assert.deepEqual(taken, [
          [one, true, 2],
          [one, true, 1],
          [within.bucket, true, 1],
          [within.bucket, true, 0],
          [within.bucket, false, 0]
        ])
      })
    },
    {
      name: "takes from neither of two buckets when one of them refuses",
      check: Effect.gen(function* () {
        const { take } = yield* RateLimiter
        const [bucket, other] = [aBucket(), aBucket()]
        const within = { bucket: aBucket(), quota: perHour(3) }
        for (const allowed of [true, false, false]) {
          const decision = yield* take(bucket, perHour(1), within)
          assert.deepEqual([decision.bucket, decision.allowed], [bucket, allowed], "the bucket itself decides")
        }
        for (const allowed of [true, true, false, false]) {
          const decision = yield* take(other, perHour(9), within)
          const expected = [within.bucket, allowed]
          assert.deepEqual([decision.bucket, decision.allowed], expected, "a refusal took nothing from the second one")
          if (!allowed) assert.ok(Duration.toMinutes(decision.retryAfter) > 19, "its wait is the second one's")
        }
        const { remaining } = yield* take(other, perHour(9))
        assert.equal(remaining, 6, "a refusal of the second one took nothing from the bucket")
      })
    },
    {
      name: "allows exactly the burst of a second bucket with concurrent calls",
      check: Effect.gen(function* () {
        const { take } = yield* RateLimiter
        const within = { bucket: aBucket(), quota: perHour(25) }
        const attempts = Array.from({ length: 60 }, () => take(aBucket(), perHour(30), within))
        assert.equal(letThrough(yield* Effect.all(attempts, { concurrency: "unbounded" })), 25)
      })
    }
  ]
}

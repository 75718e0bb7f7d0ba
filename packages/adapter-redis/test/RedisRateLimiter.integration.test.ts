import { describe, expect, it } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { Redis } from "ioredis"
import { aPrefix, patientInstance, perHour, sharedUrl, withoutRedis } from "./Setup.ts"

describe.skipIf(withoutRedis)("limits over Redis", () => {
  it.live("allows exactly the burst of 400 concurrent calls on two instances", () =>
    Effect.gen(function* () {
      const prefix = aPrefix()
      const instances = [yield* patientInstance(prefix), yield* patientInstance(prefix)]
      const attempts = Array.from({ length: 200 }, () => instances.map(({ take }) => take("key", perHour(123)))).flat()
      const decisions = yield* Effect.all(attempts, { concurrency: "unbounded" })
      expect(decisions).toHaveLength(400)
      expect(decisions.filter(({ allowed }) => allowed)).toHaveLength(123)
      expect(instances.flatMap(({ lines }) => lines)).toEqual([])
    })
  )

  it.live("keeps instances with different prefixes apart", () =>
    Effect.gen(function* () {
      const [one, other] = [yield* patientInstance(), yield* patientInstance()]
      expect((yield* one.take("key", perHour(1))).allowed).toBe(true)
      expect((yield* one.take("key", perHour(1))).allowed).toBe(false)
      expect((yield* other.take("key", perHour(1))).allowed).toBe(true)
    })
  )

  it.live("keeps one key per bucket, which expires when the bucket is full", () =>
    Effect.gen(function* () {
      const prefix = aPrefix()
      const { take } = yield* patientInstance(prefix)
      const redis = yield* Effect.acquireRelease(
        Effect.sync(() => new Redis(sharedUrl)),
        (client) => Effect.sync(() => client.disconnect())
      )
      for (let index = 0; index < 5; index++) yield* take("key", { limit: 4, window: Duration.hours(1) })
      expect(yield* Effect.promise(() => redis.keys(`${prefix}*`))).toEqual([`${prefix}rate:key`])
      const expiresIn = yield* Effect.promise(() => redis.pttl(`${prefix}rate:key`))
      expect(expiresIn).toBeGreaterThan(59 * 60_000)
      expect(expiresIn).toBeLessThanOrEqual(60 * 60_000)
    })
  )

  it.live("works after Redis has lost all scripts", () =>
    Effect.gen(function* () {
      const { lines, take } = yield* patientInstance()
      const redis = new Redis(sharedUrl)
      yield* take("key", perHour(3))
      yield* Effect.promise(() => redis.script("FLUSH"))
      redis.disconnect()
      expect((yield* take("key", perHour(3))).remaining).toBe(1)
      expect(lines).toEqual([])
    })
  )
})

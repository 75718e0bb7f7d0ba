import { decideRate, type RateQuota } from "@solar-sites/core"
import { Duration } from "effect"
import { Redis } from "ioredis"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { rateScript } from "../src/RateScript.ts"
import { aPrefix, sharedUrl, withoutRedis } from "./Setup.ts"

/** The script at an instant of the test, in milliseconds, in place of the time of Redis. No bucket expires. */
const scriptAtInstant = rateScript
  .replace("redis.call('TIME')", "{math.floor(ARGV[#ARGV] / 1000), ARGV[#ARGV] % 1000 * 1000}")
  .replace("math.ceil(afters[index]))", "600000)")

/** Numbers from 0 to below 1 that are the same in every run (mulberry32). */
const randomOf = (seed: number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

describe.skipIf(withoutRedis)("the script for Redis", () => {
  let redis: Redis
  beforeAll(() => {
    redis = new Redis(sharedUrl)
  })
  afterAll(() => redis.disconnect())

  const decideInRedis = async (key: string, { limit, window }: RateQuota, now: number) => {
    const answer = await redis.eval(scriptAtInstant, 1, key, limit, Duration.toMillis(window), now)
    const [, allowed, remaining, retryAfter, resetAfter] = Array.isArray(answer) ? answer : []
    return { allowed: allowed === 1, remaining, retryAfter: Number(retryAfter), resetAfter: Number(resetAfter) }
  }

  it.each(Array.from({ length: 40 }, (_, seed) => seed))(
    "decides on random calls as decideRate of core, to the millisecond (%i)",
    async (seed) => {
      const random = randomOf(seed)
      const quota = {
        limit: 1 + Math.floor(random() * (seed % 2 === 0 ? 8 : 700)),
        window: Duration.millis([1_000, 60_000, 3_600_000][seed % 3] ?? 0)
      }
      const interval = Duration.toMillis(quota.window) / quota.limit
      const key = `${aPrefix()}rate`
      let now = 1_780_000_000_000
      let fullAt: number | undefined
      for (let call = 0; call < 40; call++) {
        // Most calls come in bursts.
        now += random() < 0.6 ? 0 : Math.round(random() * 3 * interval)
        const { fullAt: after, ...expected } = decideRate(fullAt, now, quota)
        fullAt = after
        const { allowed, remaining, resetAfter, retryAfter } = await decideInRedis(key, quota, now)
        expect([call, allowed, remaining]).toEqual([call, expected.allowed, expected.remaining])
        // Both round sums of doubles up.
        expect(Math.abs(retryAfter - Duration.toMillis(expected.retryAfter))).toBeLessThanOrEqual(1)
        expect(Math.abs(resetAfter - Duration.toMillis(expected.resetAfter))).toBeLessThanOrEqual(1)
      }
    }
  )
})

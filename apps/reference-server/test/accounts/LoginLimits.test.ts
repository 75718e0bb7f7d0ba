import { RateLimiter } from "@solar-sites/core"
import { Clock, Duration, Effect } from "effect"
import { describe, expect, it } from "vitest"
import { type LoginAttempt, loginLimits } from "../../src/accounts/LoginLimits.ts"

const address = "192.0.2.1"

/** Limits in which the time stands still until it is moved on. */
const setup = async () => {
  let now = Date.parse("2026-06-01T09:00:00Z")
  const live = Effect.runSync(Clock.clockWith(Effect.succeed))
  const clock = Object.assign(Object.create(live), {
    currentTimeMillisUnsafe: () => now,
    currentTimeMillis: Effect.sync(() => now)
  })
  const run = <A, E>(effect: Effect.Effect<A, E>) =>
    Effect.runPromise(Effect.provideService(effect, Clock.Clock, clock))
  const taken: Array<string> = []
  const limiter = await Effect.runPromise(Effect.provide(RateLimiter.use(Effect.succeed), RateLimiter.layerInProcess))
  const listening = RateLimiter.of({
    take: (bucket, quota) => {
      taken.push(bucket)
      return limiter.take(bucket, quota)
    }
  })
  const limits = await run(Effect.provideService(loginLimits, RateLimiter, listening))
  const waitOf = (effect: ReturnType<typeof limits.check>) =>
    run(Effect.match(effect, { onSuccess: () => 0, onFailure: ({ retryAfter }) => Duration.toSeconds(retryAfter) }))
  return {
    taken,
    /** Tries and fails; the seconds to wait when it may not even try. */
    fail: async (attempt: LoginAttempt) =>
      (await waitOf(limits.check(attempt))) || (await waitOf(limits.fail(attempt))),
    wait: (attempt: LoginAttempt) => waitOf(limits.check(attempt)),
    advance: (duration: Duration.Input) => {
      now += Duration.toMillis(Duration.fromInputUnsafe(duration))
    }
  }
}

describe("the limits of logins", () => {
  it("let ten fail per account, from wherever they come, and one more every ninety seconds", async () => {
    const { advance, fail, wait } = await setup()
    const attempt = (index: number) => ({ email: "Ada@example.com", clientAddress: `192.0.2.${index}` })
    for (let index = 0; index < 10; index++) expect(await fail(attempt(index))).toBe(0)
    expect(await wait(attempt(10))).toBe(90)
    expect(await wait({ email: " ADA@EXAMPLE.COM", clientAddress: undefined })).toBe(90)
    expect(await wait({ email: "bob@example.com", clientAddress: "192.0.2.1" })).toBe(0)
    advance("90 seconds")
    expect(await fail(attempt(10))).toBe(0)
    expect(await wait(attempt(11))).toBe(90)
  })

  it("let sixty fail per address, whoever is tried", async () => {
    const { advance, fail, wait } = await setup()
    const attempt = (index: number) => ({ email: `user${index}@example.com`, clientAddress: address })
    for (let index = 0; index < 60; index++) expect(await fail(attempt(index))).toBe(0)
    expect(await wait(attempt(60))).toBe(15)
    expect(await wait({ email: "user0@example.com", clientAddress: "192.0.2.2" })).toBe(0)
    advance("15 seconds")
    expect(await wait(attempt(60))).toBe(0)
  })

  it("ask nothing of the limiter while nobody fails, and tell it nobody's e-mail address", async () => {
    const { fail, taken, wait } = await setup()
    for (let index = 0; index < 100; index++) await wait({ email: "ada@example.com", clientAddress: address })
    expect(taken).toEqual([])
    await fail({ email: "ada@example.com", clientAddress: address })
    expect(taken).toEqual([expect.stringMatching(/^login-account:[0-9a-f]{64}$/), `login-address:${address}`])
  })
})

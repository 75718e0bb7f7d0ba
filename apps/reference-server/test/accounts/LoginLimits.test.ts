import { RateLimiter } from "@solar-sites/core"
import { Clock, Duration, Effect } from "effect"
import { describe, expect, it } from "vitest"
import { type LoginAttempt, loginLimits } from "../../src/accounts/LoginLimits.ts"

const address = "192.0.2.1"

/** Limits with a clock that the test adjusts. */
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
    /** A failed attempt; returns the seconds to wait if it is not allowed. */
    fail: async (attempt: LoginAttempt) =>
      (await waitOf(limits.check(attempt))) || (await waitOf(limits.fail(attempt))),
    wait: (attempt: LoginAttempt) => waitOf(limits.check(attempt)),
    advance: (duration: Duration.Input) => {
      now += Duration.toMillis(Duration.fromInputUnsafe(duration))
    }
  }
}

describe("the limits of logins", () => {
  it("allow ten failures per account, from any address, and one more every 90 s", async () => {
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

  it("allow sixty failures per address, for any account", async () => {
    const { advance, fail, wait } = await setup()
    const attempt = (index: number) => ({ email: `user${index}@example.com`, clientAddress: address })
    for (let index = 0; index < 60; index++) expect(await fail(attempt(index))).toBe(0)
    expect(await wait(attempt(60))).toBe(15)
    expect(await wait({ email: "user0@example.com", clientAddress: "192.0.2.2" })).toBe(0)
    advance("15 seconds")
    expect(await wait(attempt(60))).toBe(0)
  })

  it("do not use the limiter without failures, and never pass it an e-mail address", async () => {
    const { fail, taken, wait } = await setup()
    for (let index = 0; index < 100; index++) await wait({ email: "ada@example.com", clientAddress: address })
    expect(taken).toEqual([])
    await fail({ email: "ada@example.com", clientAddress: address })
    expect(taken).toEqual([expect.stringMatching(/^login-account:[0-9a-f]{64}$/), `login-address:${address}`])
  })
})

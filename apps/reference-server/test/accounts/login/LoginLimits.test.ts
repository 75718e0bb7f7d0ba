import { RateLimiter } from "@solar-sites/core"
import { Clock, Duration, Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import { LoginLimits } from "../../../src/accounts/login/LoginLimits.ts"

interface Given {
  readonly email?: string
  readonly passwordVersion?: number
  readonly clientAddress?: string | undefined
}

const ada = "ada@example.com"

/** Limits with a clock that the test adjusts. */
const setup = async () => {
  let now = Date.parse("2026-06-01T09:00:00Z")
  const live = Effect.runSync(Clock.clockWith(Effect.succeed))
  const clock = Object.assign(Object.create(live), {
    currentTimeMillisUnsafe: () => now,
    currentTimeMillis: Effect.sync(() => now),
    monotonicTimeNanos: Effect.sync(() => BigInt(now) * 1_000_000n)
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
  const layer = Layer.provide(LoginLimits.layer, Layer.succeed(RateLimiter, listening))
  const limits = await run(Effect.provide(LoginLimits.use(Effect.succeed), layer))
  const waitOf = (effect: ReturnType<typeof limits.check>) =>
    run(Effect.match(effect, { onSuccess: () => 0, onFailure: ({ retryAfter }) => Duration.toSeconds(retryAfter) }))
  const attempt = ({ email = ada, passwordVersion = 1, ...rest }: Given) => ({
    email,
    passwordVersion,
    clientAddress: "clientAddress" in rest ? rest.clientAddress : "192.0.2.1"
  })
  const wait = async (given: Given) =>
    (await waitOf(limits.checkAddress(attempt(given).clientAddress))) || waitOf(limits.check(attempt(given)))
  return {
    taken,
    wait,
    /** A failed attempt; returns the seconds to wait if it is not allowed. */
    fail: async (given: Given) => (await wait(given)) || (await waitOf(limits.fail(attempt(given)))),
    advance: (duration: Duration.Input) => {
      now += Duration.toMillis(Duration.fromInputUnsafe(duration))
    }
  }
}

/** The n-th of many networks. */
const inNetwork = (index: number) => `10.0.${Math.floor(index / 256)}.${index % 256}`

describe("the limits of logins", () => {
  it("allow ten failures per account and network, and one more every 90 s", async () => {
    const { advance, fail, wait } = await setup()
    for (let index = 0; index < 10; index++) {
      expect(await fail({ email: "Ada@example.com" })).toBe(0)
    }
    expect(await wait({ email: " ADA@EXAMPLE.COM" })).toBe(90)
    expect(await wait({ email: "bob@example.com" })).toBe(0)
    for (const clientAddress of ["192.0.2.2", "2001:db8:1:2::/64"]) expect(await wait({ clientAddress })).toBe(0)
    advance("90 seconds")
    expect(await fail({})).toBe(0)
    expect(await wait({})).toBe(90)
  })

  it("allow sixty failures per address, for any account", async () => {
    const { advance, fail, wait } = await setup()
    const attempt = (index: number) => ({ email: `user${index}@example.com` })
    for (let index = 0; index < 60; index++) expect(await fail(attempt(index))).toBe(0)
    expect(await wait(attempt(60))).toBe(15)
    expect(await wait({ ...attempt(0), clientAddress: "192.0.2.2" })).toBe(0)
    advance("15 seconds")
    expect(await wait(attempt(60))).toBe(0)
  })

  it("let the owner in while a thousand networks fail, and bound their attempts", async () => {
    const { advance, fail, wait } = await setup()
    const own = "203.0.113.5"
    const days = 1
    let attempts = 0
    for (let hours = 0; hours < days * 24; hours += 8) {
      for (let index = 0; index < 1_000; index++) {
        for (let tries = 0; tries < 4; tries++) {
          if ((await fail({ clientAddress: inNetwork(index) })) === 0) attempts += 1
        }
      }
      expect(await wait({ clientAddress: own })).toBe(0)
      advance("8 hours")
    }
    // Three at once and one after each 8 hours of each network; and 100 a day of the account before it counts as attacked.
    expect(attempts).toBeLessThanOrEqual(1_000 * (3 + 3 * days - 1) + 100 * (days + 1))
    expect(attempts).toBeGreaterThan(3_000)
  })

  it("allow three failures per network while an account is attacked, and none changes those of its neighbours", async () => {
    const { fail, wait } = await setup()
    for (let index = 0; index < 100; index++) expect(await fail({ clientAddress: inNetwork(index) })).toBe(0)
    for (const [fresh, neighbour] of [
      ["198.51.100.4", "198.51.100.5"],
      ["2001:db8:1:2::/64", "2001:db8:1:3::/64"]
    ]) {
      for (let tries = 0; tries < 3; tries++) expect(await fail({ clientAddress: fresh })).toBe(0)
      expect(await wait({ clientAddress: fresh })).toBeGreaterThan(800)
      expect(await wait({ clientAddress: neighbour })).toBe(0)
      expect(await wait({ email: "bob@example.com", clientAddress: fresh })).toBe(0)
    }
    expect(await wait({ clientAddress: inNetwork(1) })).toBe(0)
  })

  it("begin anew with a new password", async () => {
    const { fail, wait } = await setup()
    for (let index = 0; index < 10; index++) await fail({})
    expect(await wait({})).toBe(90)
    expect(await wait({ passwordVersion: 2 })).toBe(0)
  })

  it("count clients without an address as one network", async () => {
    const { fail, wait } = await setup()
    for (let index = 0; index < 10; index++) expect(await fail({ clientAddress: undefined })).toBe(0)
    expect(await wait({ clientAddress: undefined })).toBe(90)
    expect(await wait({ clientAddress: undefined, email: "bob@example.com" })).toBe(0)
    expect(await wait({})).toBe(0)
  })

  it("do not use the limiter without failures, and never pass it an e-mail address", async () => {
    const { fail, taken, wait } = await setup()
    for (let index = 0; index < 100; index++) await wait({})
    expect(taken).toEqual([])
    await fail({})
    expect(taken).toEqual([
      "login-network:192.0.2.1",
      expect.stringMatching(/^login-account-network:[0-9a-f]{64}:192\.0\.2\.1$/),
      expect.stringMatching(/^login-account:[0-9a-f]{64}$/),
      expect.stringMatching(/^login-attack:[0-9a-f]{64}:192\.0\.2\.1$/)
    ])
  })
})

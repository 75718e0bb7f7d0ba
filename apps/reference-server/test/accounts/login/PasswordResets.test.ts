import { OrganisationId, RateLimiter, RepositoryError, UserId } from "@solar-sites/core"
import { DateTime, Effect, Exit, Layer, Option, Redacted } from "effect"
import { describe, expect, it } from "vitest"
import { passwordResets } from "../../../src/accounts/login/LinkEndpoints.ts"
import { User } from "../../../src/accounts/people/User.ts"
import type { userLookUps } from "../../../src/accounts/people/UserLookUps.ts"
import { Mailer, MailQueueFull, type Outgoing } from "../../../src/mail/Mailer.ts"
import { MailLimits, networkOf } from "../../../src/mail/MailLimits.ts"

const user = new User({
  id: UserId.make("0190a5c0-0000-7000-8000-000000000001"),
  organisationId: OrganisationId.make("0190a5c0-0000-7000-8000-000000000002"),
  email: "ada@example.com",
  name: "Ada",
  role: "owner",
  portfolioIds: null,
  createdAt: DateTime.makeUnsafe(0)
})
const credentials = { user, organisationStatus: "active", passwordHash: null, passwordVersion: 1 } as const

const maximumQueued = 10

const setup = (findByLogin: Effect.Success<typeof userLookUps>["findByLogin"], isConfigured = true) => {
  const queued: Array<Effect.Effect<Outgoing | null, unknown>> = []
  const mailer = Layer.succeed(Mailer, {
    isConfigured,
    send: (outgoing) => Effect.sync(() => queued.length < maximumQueued && queued.push(outgoing) > 0)
  })
  const token = Redacted.make("A".repeat(43))
  const issue = () => Effect.succeed({ token, expiresAt: 0 })
  const layer = Layer.mergeAll(mailer, Layer.provide(MailLimits.layer, RateLimiter.layerInProcess))
  const program = <A, E>(use: (request: Effect.Success<ReturnType<typeof passwordResets>>) => Effect.Effect<A, E>) =>
    Effect.runPromise(Effect.provide(Effect.flatMap(passwordResets({ findByLogin }, { issue }), use), layer))
  return { program, queued }
}

describe("requests for a new password", () => {
  it("do not wait for the look-up of the address", async () => {
    const { program, queued } = setup(() => Effect.never)
    await program((request) => request("ada@example.com", "192.0.2.1"))
    expect(queued).toHaveLength(1)
  })

  it("mail known addresses, five times per hour and network, twenty times in all", async () => {
    const { program, queued } = setup((email) => Effect.succeed(email === user.email ? credentials : null))
    const mailed = await program((request) =>
      Effect.gen(function* () {
        const mails: Array<string> = []
        const ask = Effect.fnUntraced(function* (email: string, address: string | undefined) {
          yield* request(email, address)
          const made = yield* Effect.orDie(queued.pop() ?? Effect.succeed(null))
          if (made !== null) mails.push(`${address} ${made.to} ${made.letter.path}`)
        })
        yield* ask("nobody@example.com", "192.0.2.1")
        for (let n = 1; n <= 7; n++) yield* ask("ada@example.com", `192.0.2.${n}`)
        expect(mails).toEqual([1, 2, 3, 4, 5].map((n) => `192.0.2.${n} ada@example.com /reset#${"A".repeat(43)}`))
        for (let n = 0; n < 30; n++) yield* ask("ada@example.com", `198.51.${n}.1`)
        return mails.length
      })
    )
    expect(mailed).toBe(20)
  })

  it("count once, however often the database fails before the mail is made", async () => {
    let lookups = 0
    const unavailable = new RepositoryError({ operation: "Users.findByLogin", retryable: true, cause: "EMFILE" })
    const { program, queued } = setup(() =>
      Effect.suspend(() => (++lookups % 3 === 0 ? Effect.succeed(credentials) : Effect.fail(unavailable)))
    )
    const outcomes = await program((request) =>
      Effect.gen(function* () {
        for (let n = 0; n < 6; n++) yield* request("ada@example.com", "192.0.2.1")
        return yield* Effect.forEach(queued, (made) =>
          Effect.all([Effect.option(made), Effect.option(made), Effect.orDie(made)])
        )
      })
    )
    const mailed = [Option.none(), Option.none(), expect.objectContaining({ to: user.email })]
    expect(outcomes).toEqual(Array.from({ length: 5 }, () => mailed))
  })

  it("above the limits take no place in the queue, and are answered like all others", async () => {
    const { program, queued } = setup(() => Effect.never)
    const flood = await program((request) =>
      Effect.forEach(Array.from({ length: 100 }), () => Effect.exit(request(user.email, "192.0.2.1")))
    )
    expect(flood).toEqual(flood.map(() => Exit.void))
    expect(queued).toHaveLength(5)
  })

  it("are refused while the queue is full, whether or not the address is known", async () => {
    const { program, queued } = setup(() => Effect.never)
    const request = (email: string) => program((request) => Effect.exit(request(email, "192.0.2.1")))
    for (let n = 0; n < maximumQueued; n++) expect(await request(`${n}@example.com`)).toEqual(Exit.void)
    const refused = Exit.fail(new MailQueueFull())
    expect([await request(user.email), await request("nobody@example.com")]).toEqual([refused, refused])
    expect(queued).toHaveLength(maximumQueued)
  })

  it("do nothing without mail", async () => {
    const { program, queued } = setup(() => Effect.die("looked up"), false)
    await program((request) => request("ada@example.com", undefined))
    expect(queued).toEqual([])
  })
})

describe("the network that mails count by,", () => {
  it.each([
    ["192.0.2.77", "192.0.2.0/24"],
    ["::ffff:192.0.2.77", "192.0.2.0/24"],
    ["::ffff:c000:24d", "192.0.2.0/24"],
    ["2001:db8:1:2::/64", "2001:db8:1::/48"],
    ["2001:db8:1:ffff::1", "2001:db8:1::/48"],
    ["2001:db8:2::1", "2001:db8:2::/48"],
    ["no address", "unknown"],
    [undefined, "unknown"]
  ])("of %s is %s", (address, network) => {
    expect(networkOf(address)).toBe(network)
  })
})

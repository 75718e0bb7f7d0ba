import { ApiKeySecret, ApiKeys, Organisations, SolarSitesServices, UserId } from "@solar-sites/core"
import { MemoryAdapters } from "@solar-sites/testing"
import { DateTime, Effect, Layer, Option, Redacted } from "effect"
import { describe, expect, it } from "vitest"
import { User } from "../../src/accounts/people/User.ts"
import type { CreateUser } from "../../src/accounts/people/Users.ts"
import { createIfEmpty, invitation } from "../../src/server/DemoData.ts"

const made: Array<CreateUser> = []
const createUser = (input: CreateUser) =>
  Effect.sync(() => {
    made.push(input)
    return new User({
      role: "owner",
      portfolioIds: null,
      ...input,
      id: UserId.make("ada"),
      createdAt: DateTime.makeUnsafe(0)
    })
  })
const Services = SolarSitesServices.layer.pipe(Layer.provide(MemoryAdapters.layer))

const run = <A, E>(effect: Effect.Effect<A, E, Organisations | ApiKeys>) =>
  Effect.runPromise(Effect.provide(effect, Services))

describe("DemoData", () => {
  it("creates an organisation with a valid key and a user with a valid login", async () => {
    const { caller, list, login } = await run(
      Effect.gen(function* () {
        const { key, login } = Option.getOrThrow(yield* createIfEmpty(createUser))
        const caller = yield* ApiKeys.use((apiKeys) => apiKeys.authenticate(key))
        return { caller, login, list: yield* Organisations.use((organisations) => organisations.list()) }
      })
    )
    const { email, password } = Option.getOrThrow(login)
    expect(made).toEqual([{ organisationId: caller.organisationId, email, name: "Demo user", password }])
    expect(list.data).toEqual([{ id: caller.organisationId, name: "Demo organisation", status: "active" }])
  })

  it("creates no user without a console", async () => {
    const { login } = Option.getOrThrow(await run(createIfEmpty(null)))
    expect(login).toEqual(Option.none())
  })

  it("creates nothing if there is an organisation", async () => {
    const again = await run(
      Effect.gen(function* () {
        yield* Organisations.use((organisations) => organisations.create({ name: "Ours" }))
        return yield* createIfEmpty(createUser)
      })
    )
    expect(again).toEqual(Option.none())
  })

  it("is printed with a complete shell command", async () => {
    const secret = await Effect.runPromise(ApiKeySecret.generate)
    const login = Option.some({ email: "demo@example.com", password: Redacted.make("a password of words") })
    const text = invitation("http://127.0.0.1:3000", { key: secret, login })
    expect(text).toMatch(/^Log in at http:\/\/127\.0\.0\.1:3000 as demo@example\.com .*\n\n {2}a password of words\n/m)
    const [line = ""] = text.match(/curl .*/) ?? []
    expect(line).toContain("http://127.0.0.1:3000/api/sites")
    expect(line).toContain(`'x-api-key: ${Redacted.value(secret)}'`)
    expect(line.split("'").length % 2).toBe(1)
  })
})

import {
  type ApiScope,
  Caller,
  Coverage,
  CurrentCaller,
  Documents,
  Events,
  neededScopes,
  Portfolios,
  Requirements,
  Sites,
  Webhooks
} from "@solar-sites/core"
import { anOrganisationId } from "@solar-sites/testing"
import { Effect, Stream } from "effect"
import { describe, expect, it } from "vitest"
import { makeSetup } from "../promises/setup.ts"

const services = Effect.all({
  sites: Sites,
  portfolios: Portfolios,
  documents: Documents,
  requirements: Requirements,
  coverage: Coverage,
  events: Events,
  webhooks: Webhooks
})

const restricted = (...scopes: ReadonlyArray<ApiScope>) =>
  new Caller({ organisationId: anOrganisationId(), userId: null, apiKeyId: null, scopes })

describe("the rule services", () => {
  it("check the scopes of their caller in every method", async () => {
    await using setup = await makeSetup()
    const found: Readonly<Record<string, object>> = await Effect.runPromise(Effect.provide(services, setup.services))
    const checked = await Promise.all(
      Object.entries(found).flatMap(([group, service]) =>
        Object.keys(service)
          .filter((name) => name !== "objectArrived")
          .map(async (name) => {
            const answer = Reflect.get(service, name)("id", {})
            const effect = Stream.isStream(answer) ? Stream.runDrain(answer) : answer
            const refusal = await Effect.runPromise(
              Effect.flip(effect as Effect.Effect<unknown, { readonly missing?: unknown }, CurrentCaller>).pipe(
                Effect.provideService(CurrentCaller, restricted())
              )
            )
            const { always, byChange } = Reflect.get(Reflect.get(neededScopes, group), name)
            return [`${group}.${name}`, refusal.missing, [...always, ...(byChange?.({}) ?? [])]]
          })
      )
    )
    expect(checked).toHaveLength(38)
    for (const [name, missing, needed] of checked) expect([name, missing]).toEqual([name, needed])
  })
})

describe("the table of scopes", () => {
  it("needs both scopes for a decision together with metadata", () => {
    const { byChange } = neededScopes.documents.changeStatus
    const decision = { status: "approved", filename: "plan.pdf" }
    expect(byChange(decision)).toEqual(["documents:write", "documents:approve"])
    expect(byChange({ status: "completed" })).toEqual(["documents:approve"])
    expect(byChange({ status: "pending" })).toEqual(["documents:write"])
  })
})

describe("a caller of the library", () => {
  it("with scopes cannot manage keys, which could have more", async () => {
    await using setup = await makeSetup()
    const user = setup.solar.as({ organisationId: setup.user.organisation.id, scopes: ["sites:read"] })
    await expect(user.apiKeys.create({ name: "More" })).rejects.toMatchObject({ code: "keys_not_manageable" })
    await expect(user.apiKeys.list()).rejects.toMatchObject({ code: "keys_not_manageable" })
    expect(await user.apiKeys.inUse()).toBeNull()
  })

  it("with an unknown scope is refused", async () => {
    await using setup = await makeSetup()
    const user = setup.solar.as({ organisationId: setup.user.organisation.id, scopes: ["sites:read", "site:write"] })
    await expect(user.sites.list()).rejects.toMatchObject({
      code: "validation_failed",
      faults: [{ pointer: "/scopes/1" }]
    })
  })

  it("learns of missing scopes before faults of its input", async () => {
    await using setup = await makeSetup()
    const user = setup.solar.as({ organisationId: setup.user.organisation.id, scopes: ["sites:write"] })
    await expect(user.sites.list({ limit: 0 })).rejects.toMatchObject({
      code: "scope_missing",
      missing: ["sites:read"]
    })
    await expect(user.portfolios.streamWithSites()[Symbol.asyncIterator]().next()).rejects.toMatchObject({
      code: "scope_missing",
      missing: ["portfolios:read", "sites:read"]
    })
  })
})

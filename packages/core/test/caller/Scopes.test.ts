import {
  type ApiScope,
  apiScopes,
  Caller,
  Coverage,
  CurrentCaller,
  Documents,
  Events,
  hasAllScopes,
  type Operation,
  operations,
  Portfolios,
  Requirements,
  ScopeMissing,
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

const rows = Object.entries<Readonly<Record<string, Operation>>>(operations).flatMap(([group, methods]) =>
  Object.entries(methods).map(([method, row]) => ({ group, method, name: `${group}.${method}`, row }))
)

describe("the rule services", () => {
  it("check the scopes of their caller in every method", async () => {
    await using setup = await makeSetup()
    const found: Readonly<Record<string, object>> = await Effect.runPromise(Effect.provide(services, setup.services))
    const named = Object.entries(found).flatMap(([group, service]) =>
      Object.keys(service).map((method) => `${group}.${method}`)
    )
    expect(named.toSorted()).toEqual([...rows.map(({ name }) => name), "documents.objectArrived"].toSorted())
    for (const { group, method, name, row } of rows) {
      const { names = [], scopes, scopesOf } = row
      const input = { sites: [] }
      const answer = Reflect.get(Object(found[group]), method)(...names.map(() => "id"), input)
      const effect = Stream.isStream(answer) ? Stream.runDrain(answer) : answer
      const refusal = await Effect.runPromise(
        Effect.flip(effect as Effect.Effect<unknown, { readonly missing?: unknown }, CurrentCaller>).pipe(
          Effect.provideService(CurrentCaller, restricted())
        )
      )
      expect([name, refusal.missing]).toEqual([name, [...scopes, ...(scopesOf?.(input as never) ?? [])]])
    }
  })
})

describe("the scopes of an operation", () => {
  /** Specification, section 13. */
  const exceptions: Readonly<Record<string, ReadonlyArray<ApiScope>>> = {
    "portfolios.listWithSites": ["portfolios:read", "sites:read"],
    "portfolios.streamWithSites": ["portfolios:read", "sites:read"],
    // Decisions and metadata need different ones.
    "documents.changeStatus": [],
    "coverage.list": ["documents:read"],
    "coverage.summary": ["documents:read"]
  }

  it.each(rows)("are those of its resource: $name", ({ group, name, row }) => {
    expect(row.scopes).toEqual(exceptions[name] ?? [`${group}:${row.kind === "write" ? "write" : "read"}`])
  })

  it("depend on the input where sites are moved, and where documents are decided on", () => {
    const dependent = rows.filter(({ row }) => row.scopesOf !== undefined).map(({ name }) => name)
    expect(dependent).toEqual(["sites.create", "sites.bulk", "sites.update", "documents.changeStatus"])
  })

  it("needs both scopes for a decision together with metadata", () => {
    const { scopesOf } = operations.documents.changeStatus
    const decision = { status: "approved", filename: "plan.pdf" } as const
    expect(scopesOf(decision)).toEqual(["documents:write", "documents:approve"])
    expect(scopesOf({ status: "completed" })).toEqual(["documents:approve"])
    expect(scopesOf({ status: "pending" })).toEqual(["documents:write"])
  })

  it.each(["filename", "documentType", "note", "validFrom", "validUntil"])("takes %s for metadata", (member) => {
    const { scopesOf } = operations.documents.changeStatus
    expect(scopesOf({ status: "approved", ...{ [member]: null } })).toEqual(["documents:write", "documents:approve"])
  })
})

describe("a list of scopes", () => {
  it("has all scopes in any order, and not one scope as often as there are scopes", () => {
    expect(hasAllScopes(apiScopes.toReversed())).toBe(true)
    expect(hasAllScopes(apiScopes.slice(1))).toBe(false)
    expect(hasAllScopes(apiScopes.map(() => "sites:read" as const))).toBe(false)
  })

  it("names what is missing", () => {
    const messageOf = (...missing: ReadonlyArray<ApiScope>) => new ScopeMissing({ missing }).message
    expect(messageOf("sites:read")).toBe("The caller lacks the scope sites:read")
    expect(messageOf("sites:read", "sites:write")).toBe("The caller lacks the scopes sites:read, sites:write")
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

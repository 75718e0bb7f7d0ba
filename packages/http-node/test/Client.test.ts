import { CurrentCaller, Sites } from "@solar-sites/core"
import { Effect } from "effect"
import { beforeAll, describe, expect, expectTypeOf, it } from "vitest"
import type { Site, SolarSitesClient } from "../src/client/index.ts"
import { SolarSitesProblem } from "../src/client/index.ts"
import { clientOf, rejection } from "./ClientSetup.ts"
import { useServer } from "./Serving.ts"
import { bindings, unknownId } from "./Setup.ts"

const aSite = { siteName: "Long Meadow", capacity: 1.2, unit: "MW" } as const

describe.each(Object.entries(bindings))("the client through %s", (_, bind) => {
  const { binding, setup } = useServer(bind, { rateLimitPerMinute: 0 })
  let client: SolarSitesClient
  beforeAll(async () => {
    client = clientOf(binding(), (await setup().join("Sunfield")).key)
  })

  it("reads its organisation and key", async () => {
    const { apiKey, organisation } = await client.me()
    expect([organisation.name, apiKey?.name]).toEqual(["Sunfield", "test"])
    expect(typeof apiKey?.createdAt).toBe("string")
  })

  it("creates, reads, changes and deletes a site", async () => {
    const site = await client.sites.create(aSite)
    expect(site).toMatchObject({ ...aSite, address: null, capacityKw: 1_200, version: 1 })
    expect(site.createdAt).toMatch(/^\d{4}-.*\.\d{3}Z$/)
    expect(await client.sites.get(site.id.toUpperCase())).toEqual(site)
    const changed = await client.sites.update(site.id, { ...site, address: "Farm" }, { expectedVersion: site.version })
    expect([changed.address, changed.version]).toEqual(["Farm", 2])
    const stale = { expectedVersion: site.version }
    for (const call of [client.sites.update(site.id, { address: null }, stale), client.sites.delete(site.id, stale)]) {
      expect(await rejection(call)).toMatchObject({ code: "precondition_failed", status: 412 })
    }
    expect(await client.sites.delete(site.id, { expectedVersion: 2 })).toBeUndefined()
    const error = await rejection(client.sites.get(site.id))
    expect(error instanceof SolarSitesProblem && error.code === "site_not_found").toBe(true)
    expectTypeOf(site).toEqualTypeOf<Site>()
    expectTypeOf(site.createdAt).toEqualTypeOf<string>()
    expectTypeOf(site.id).toEqualTypeOf<string>()
  })

  it("adds sites to portfolios and removes them", async () => {
    const [east, west] = await client.portfolios.createMany([{ name: "East" }, { name: "West" }])
    const north = await client.portfolios.create({ name: "North" })
    const sites = await Promise.all([client.sites.create(aSite), client.sites.create(aSite)])
    const ids = sites.map(({ id }) => id)
    expect((await client.portfolios.addSites(north.id, ids)).map(({ id, portfolioId }) => [id, portfolioId])).toEqual(
      ids.map((id) => [id, north.id])
    )
    expect((await client.sites.list({ portfolioId: north.id, limit: 1 })).data).toHaveLength(1)
    const withSites = await client.portfolios.listWithSites()
    expect(
      withSites.data
        .find(({ id }) => id === north.id)
        ?.sites.map(({ id }) => id)
        .sort()
    ).toEqual(ids.sort())
    expect(
      await rejection(client.portfolios.removeSites(north.id, ids.slice(0, 1), { expectedVersion: 2 }))
    ).toMatchObject({
      code: "precondition_failed"
    })
    await client.portfolios.removeSites(north.id, ids.slice(0, 1), { expectedVersion: 1 })
    expect(await rejection(client.portfolios.removeSites(north.id, ids))).toMatchObject({
      code: "site_not_in_portfolio"
    })
    expect(await client.portfolios.get(north.id)).toMatchObject({ name: "North", siteCount: 1 })
    expect(await client.portfolios.update(north.id, { name: "South" })).toMatchObject({ name: "South", version: 2 })
    const names: Array<string> = []
    for await (const { name } of client.portfolios.iterate({ limit: 1 })) names.push(name)
    for await (const { name } of client.portfolios.iterateWithSites({ limit: 2 })) names.push(name)
    expect(names).toEqual(["East", "West", "South", "East", "West", "South"])
    for (const portfolio of [east, west, north]) await client.portfolios.delete(portfolio?.id ?? "")
    expect(await client.portfolios.list()).toEqual({ data: [], nextCursor: null })
  })

  it("treats null members as absent", async () => {
    const site = await client.sites.create({ ...aSite, address: null, portfolioId: null })
    expect((await client.sites.list({ siteId: site.id })).data).toEqual([site])
    expect((await client.sites.list({ siteId: unknownId })).data).toEqual([])
  })

  it("treats an invalid id as an unknown one, even if it is a path", async () => {
    for (const id of ["", ".", "..", "../portfolios", "with-sites", "a/b", "%2e%2e", "?limit=1", "\ud800"]) {
      expect(await rejection(client.sites.get(id))).toMatchObject({ code: "site_not_found" })
      expect(await rejection(client.portfolios.get(id))).toMatchObject({ code: "portfolio_not_found" })
      expect(await rejection(client.documents.delete(id))).toMatchObject({ code: "document_not_found" })
      expect(await rejection(client.portfolios.addSites(id, [unknownId]))).toMatchObject({
        code: "portfolio_not_found"
      })
    }
  })

  it("reports all faults of a request", async () => {
    const error = await rejection(client.sites.create({ siteName: "", capacity: -1, unit: "MW" }))
    if (!(error instanceof SolarSitesProblem)) throw error
    expect(error.errors.map(({ pointer }) => pointer)).toEqual(["/siteName", "/capacity"])
    expect([error.status, error.attempts, error.retryAfter]).toEqual([400, 1, null])
    expect(error.requestId).toMatch(/^[A-Za-z0-9-]{8,64}$/)
  })

  it("creates one site for repeated requests with one idempotency key", async () => {
    const options = { idempotencyKey: crypto.randomUUID() }
    const site = await client.sites.create(aSite, options)
    expect(await client.sites.create(aSite, options)).toEqual(site)
    expect(await rejection(client.sites.create({ ...aSite, capacity: 2 }, options))).toMatchObject({
      code: "idempotency_key_reused"
    })
  })

  it("iterates over 2,500 sites in pages, and stops when the loop ends", async () => {
    const { caller, key } = await setup().join("Moonfield")
    const lines: Array<string> = []
    const many = clientOf(binding(), key, {
      fetch: (request) => {
        lines.push(new URL(request.url).search)
        return binding().send(request)
      }
    })
    await setup().run(
      Effect.gen(function* () {
        const sites = yield* Sites
        for (let index = 0; index < 2_500; index += 1) {
          yield* sites.create({ siteName: `Site ${index}`, capacity: 1, unit: "kW" })
        }
      }).pipe(Effect.provideService(CurrentCaller, caller))
    )
    const ids = new Set<string>()
    for await (const { id } of many.sites.iterate({ limit: 500 })) ids.add(id)
    expect([ids.size, lines.length]).toEqual([2_500, 5])
    expect(lines.every((line) => line.includes("limit=500"))).toBe(true)
    expect([...ids]).toEqual([...ids].sort())
    for await (const _site of many.sites.iterate()) break
    expect(lines.slice(5)).toEqual(["?limit=1000"])
    expect((await many.sites.list()).data).toHaveLength(2_500)
    expect((await many.sites.list({ limit: 10 })).nextCursor).toEqual(expect.any(String))
  })
})

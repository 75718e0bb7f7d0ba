import { afterAll, beforeAll, describe, expect, it } from "vitest"
import {
  aNewSite,
  type Binding,
  bindings,
  caller,
  makeSetup,
  nodeBinding,
  type Send,
  type Setup,
  unknownId
} from "./Setup.ts"

interface Entry {
  readonly result: string
  readonly site: {
    readonly id: string
    readonly siteName: string
    readonly version: number
    readonly createdAt: string
    readonly updatedAt: string
  }
}

describe("bulk operations on sites", () => {
  let setup: Setup
  let binding: Binding
  let send: Send
  beforeAll(async () => {
    setup = await makeSetup()
    binding = await nodeBinding(setup.ports)
  })
  afterAll(async () => {
    await binding.close()
    await setup.close()
  })

  const join = async () => {
    send = caller(binding, (await setup.join("Sunfield")).key)
  }
  const bulk = (sites: ReadonlyArray<unknown>, more: object = {}, headers = {}) =>
    send("POST /api/sites/bulk", { body: { sites, ...more }, headers })
  const list = async () => (await send("GET /api/sites")).json.data
  const upsert = { mode: "upsert" }
  const faultsOf = ({ json, status }: Awaited<ReturnType<Send>>) => [
    status,
    json.code,
    ...json.errors.map(({ code, pointer }: { code: string; pointer: string }) => `${pointer} ${code}`).sort()
  ]

  it("create sites in the order of the request", async () => {
    await join()
    const { json, status } = await bulk([
      { ...aNewSite, siteName: "B", externalId: "B", tags: ["x"] },
      { ...aNewSite, siteName: "A", address: null }
    ])
    expect(status).toBe(200)
    expect(json.data.map(({ result, site }: Entry) => [result, site.siteName, site.version])).toEqual([
      ["created", "B", 1],
      ["created", "A", 1]
    ])
    expect([json.summary, json.dryRun]).toEqual([{ created: 2, updated: 0, unchanged: 0 }, false])
    expect(await list()).toEqual(json.data.map(({ site }: Entry) => site))
  })

  it("change the sites with the external ids, and create the others", async () => {
    await join()
    await bulk([
      { ...aNewSite, externalId: "A", address: "Farm", tags: ["x"] },
      { ...aNewSite, externalId: "B" }
    ])
    const changes = [
      { ...aNewSite, externalId: "C" },
      { externalId: "A", capacity: 2, address: null },
      { externalId: "B", siteName: aNewSite.siteName }
    ]
    const dry = await bulk(changes, { ...upsert, dryRun: true })
    const before = await list()
    const { json } = await bulk(changes, upsert)
    expect(json.data.map(({ result }: Entry) => result)).toEqual(["created", "updated", "unchanged"])
    expect(json.data[1].site).toMatchObject({ capacity: 2, address: null, tags: ["x"], version: 2 })
    expect([json.summary, json.dryRun]).toEqual([{ created: 1, updated: 1, unchanged: 1 }, false])
    expect(before.map(({ version }: Entry["site"]) => version)).toEqual([1, 1])
    const timeless = (data: ReadonlyArray<Entry>) =>
      data.map(({ result, site }) => {
        const { createdAt: _, id, updatedAt: __, ...members } = site
        return { result, ...members, ...(result === "created" ? {} : { id }) }
      })
    expect(timeless(dry.json.data)).toEqual(timeless(json.data))
    expect(dry.json).toMatchObject({ summary: json.summary, dryRun: true, data: [{ site: { id: null } }, {}, {}] })
  })

  it("report faults at their places, and change nothing", async () => {
    await join()
    await bulk([{ ...aNewSite, externalId: "A" }])
    const before = await list()
    expect(
      faultsOf(await bulk([aNewSite, { ...aNewSite, capacity: -1 }, { siteName: "" }, { ...aNewSite, x: 1 }]))
    ).toEqual([
      400,
      "validation_failed",
      "/sites/1/capacity out_of_range",
      "/sites/2/capacity required",
      "/sites/2/siteName too_short",
      "/sites/2/unit required",
      "/sites/3/x unknown_member"
    ])
    const twice = [{ ...aNewSite, externalId: "B" }, aNewSite, { ...aNewSite, externalId: "B" }]
    expect(faultsOf(await bulk(twice))).toEqual([400, "validation_failed", "/sites/2/externalId duplicate"])
    expect(faultsOf(await bulk([aNewSite, { ...aNewSite, externalId: null }], upsert))).toEqual([
      400,
      "validation_failed",
      "/sites/0/externalId required",
      "/sites/1/externalId invalid_type"
    ])
    expect(faultsOf(await bulk([{ externalId: "A" }, { externalId: "B", capacity: 1 }], upsert))).toEqual([
      400,
      "validation_failed",
      "/sites/1/siteName required",
      "/sites/1/unit required"
    ])
    const places = [
      aNewSite,
      { ...aNewSite, portfolioId: unknownId },
      aNewSite,
      { ...aNewSite, portfolioId: unknownId }
    ]
    expect(faultsOf(await bulk(places))).toEqual([
      404,
      "portfolio_not_found",
      "/sites/1/portfolioId portfolio_not_found",
      "/sites/3/portfolioId portfolio_not_found"
    ])
    const taken = await bulk([aNewSite, { ...aNewSite, externalId: "A" }])
    expect(faultsOf(taken)).toEqual([409, "external_id_taken", "/sites/1/externalId external_id_taken"])
    expect(taken.json.conflicts).toEqual([{ externalId: "A", takenBy: before[0].id }])
    const signed = { ...aNewSite, externalId: "B", coverImageUrl: `http://x/${unknownId}/${unknownId}/${unknownId}` }
    expect(
      faultsOf(
        await bulk(
          [aNewSite].map(() => signed),
          upsert
        )
      )
    ).toEqual([400, "validation_failed", "/sites/0/coverImageUrl invalid_url"])
    expect(faultsOf(await bulk([]))).toEqual([400, "validation_failed", "/sites too_few"])
    expect(faultsOf(await bulk(Array.from({ length: 1_001 }, () => 1)))).toEqual([
      400,
      "validation_failed",
      "/sites too_many"
    ])
    expect(faultsOf(await bulk([aNewSite], { mode: "replace", dryRun: 1 }))).toEqual([
      400,
      "validation_failed",
      "/dryRun invalid_type",
      "/mode invalid_value"
    ])
    expect(await list()).toEqual(before)
  })

  it("refuse a long body with more values than 1,000 sites have", async () => {
    await join()
    const unknown = Object.fromEntries(Array.from({ length: 150_000 }, (_, index) => [`member ${index}`, 1]))
    const { json, status } = await bulk([{ ...aNewSite, ...unknown }])
    const detail = "The body has more than 150000 values."
    expect([status, json.code, json.detail]).toEqual([400, "malformed_json", detail])
  })

  it("answer a repetition with its Idempotency-Key alike, however long the answer", async () => {
    await join()
    for (const count of [2, 300]) {
      const sites = Array.from({ length: count }, (_, index) => ({ ...aNewSite, externalId: `${count}-${index}` }))
      const headers = { "idempotency-key": `key-${count}` }
      const first = await bulk(sites, upsert, headers)
      const again = await bulk(sites, upsert, headers)
      expect(again.headers.get("idempotency-replayed")).toBe("true")
      expect(again.json).toEqual(first.json)
      expect(again.json.summary).toEqual({ created: count, updated: 0, unchanged: 0 })
    }
    expect(await list()).toHaveLength(302)
  })
})

it.each(Object.entries(bindings))(
  "bulk operations on sites take a body of 8 MiB, and no larger one: %s",
  async (_, bind) => {
    const setup = await makeSetup()
    const binding = await bind(setup.ports)
    const send = caller(binding, (await setup.join("Sunfield")).key)
    const bulk = (sites: ReadonlyArray<unknown>) => send("POST /api/sites/bulk", { body: { sites } })
    const site = { ...aNewSite, address: "☀".repeat(500), attributes: { a: "☀".repeat(1_000), b: "x".repeat(1_000) } }
    const { status } = await bulk(Array.from({ length: 1_000 }, () => site))
    expect(status).toBe(200)
    const { json } = await bulk([aNewSite, "x".repeat(8_388_608)])
    expect([json.code, json.detail]).toEqual(["body_too_large", "A body has at most 8388608 bytes."])
    await binding.close()
    await setup.close()
  }
)

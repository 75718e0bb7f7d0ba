import { beforeAll, describe, expect, it } from "vitest"
import { useServer } from "./Serving.ts"
import { aNewSite, webBinding } from "./Setup.ts"

// About the largest that a site can have.
const attributes = Object.fromEntries(
  Array.from({ length: 50 }, (_, index) => [`${index}${"𝔖".repeat(97)}`, "𝔖".repeat(1_000)])
)
const maximum = 8 * 1_048_576
const count = 45
const externalIdOf = (index: number) => `L-${index}`

interface Item {
  readonly id: string
  readonly siteId: string
}

describe("sites of more than 8 MiB together", () => {
  const { send } = useServer(webBinding)
  let ids: ReadonlyArray<string>
  let portfolioId: string
  beforeAll(async () => {
    portfolioId = (await send("POST /api/portfolios", { body: [{ name: "South" }] })).json.data[0].id
    const sites = Array.from({ length: count }, (_, index) => ({
      ...aNewSite,
      externalId: externalIdOf(index),
      attributes
    }))
    for (const part of [sites.slice(0, 25), sites.slice(25)])
      await send("POST /api/sites/bulk", { body: { sites: part } })
    ids = (await send("GET /api/sites")).json.data.map(({ id }: Item) => id)
  })

  const allPages = async (path: string) => {
    const lengths: Array<number> = []
    const items: Array<Item> = []
    let cursor = ""
    while (true) {
      const { json, text } = await send(`GET ${path}?limit=1000${cursor}`)
      if (json.data.length === 0) return { lengths, items }
      lengths.push(Buffer.byteLength(text))
      items.push(...json.data)
      if (json.nextCursor === null) return { lengths, items }
      cursor = `&cursor=${json.nextCursor}`
    }
  }

  it("have shorter pages, and complete lists", async () => {
    expect(ids.length).toBe(count)
    const sites = await allPages("/api/sites")
    expect(sites.lengths).toHaveLength(2)
    expect(Math.max(...sites.lengths)).toBeLessThan(maximum + 300_000)
    expect(sites.items.map(({ id }) => id)).toEqual(ids)
    const events = await allPages("/api/events")
    expect(Math.max(...events.lengths)).toBeLessThan(maximum + 500_000)
    for (const listed of [events.items, (await send("GET /api/events")).json.data]) {
      expect(listed.flatMap(({ siteId }: Item) => siteId ?? [])).toEqual(ids)
    }
  })

  it("are too many for one answer about stored sites", async () => {
    const expected = (pointer: string) => ({
      code: "validation_failed",
      errors: [{ pointer, code: "too_large", detail: expect.stringContaining(`at most ${maximum} bytes`) }]
    })
    const added = await send(`POST /api/portfolios/${portfolioId}/sites`, { body: { siteIds: ids } })
    expect([added.status, added.json]).toEqual([400, expect.objectContaining(expected("/siteIds"))])
    const sites = ids.map((_, index) => ({ externalId: externalIdOf(index), address: "1 Sun Lane" }))
    const saved = await send("POST /api/sites/bulk", { body: { mode: "upsert", sites } })
    expect([saved.status, saved.json]).toEqual([400, expect.objectContaining(expected("/sites"))])
    const [first] = (await send("GET /api/sites?limit=1")).json.data
    expect(first).toMatchObject({ portfolioId: null, address: null, version: 1 })
  })
})

import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { aNewSite, type Binding, bindings, caller, makeSetup, type Send, type Setup } from "./Setup.ts"

const names = ["b", "Ä", "a", "C", "z", "B", "Éclair", "ä"]
const sorted = ["Ä", "a", "ä", "b", "B", "C", "Éclair", "z"]

describe.each(Object.entries(bindings))("search and order through %s", (_, bind) => {
  let setup: Setup
  let binding: Binding
  let send: Send
  beforeAll(async () => {
    setup = await makeSetup()
    binding = await bind(setup.ports)
    send = caller(binding, (await setup.join("Sunfield")).key)
    for (const [index, siteName] of names.entries()) {
      await send("POST /api/sites", { body: { ...aNewSite, siteName, capacity: (index % 3) + 1 } })
    }
  })
  afterAll(async () => {
    await binding.close()
    await setup.close()
  })

  const namesIn = (json: { data: ReadonlyArray<{ siteName: string }> }) => json.data.map(({ siteName }) => siteName)

  const pagesOf = async (query: string): Promise<ReadonlyArray<string>> => {
    const found: Array<string> = []
    let cursor: string | null = ""
    while (cursor !== null) {
      const { json } = await send(`GET /api/sites?${query}&limit=3${cursor === "" ? "" : `&cursor=${cursor}`}`)
      found.push(...namesIn(json))
      cursor = json.nextCursor
    }
    return found
  }

  it("sort sites in both directions, complete and in pages", async () => {
    for (const [order, expected] of [
      ["asc", sorted],
      ["desc", sorted.toReversed()]
    ] as const) {
      const query = `sort=siteName&order=${order}`
      expect(namesIn((await send(`GET /api/sites?${query}`)).json), order).toEqual(expected)
      expect(await pagesOf(query), order).toEqual(expected)
    }
    expect(await pagesOf("order=desc")).toEqual(names.toReversed())
    expect(await pagesOf("q=A&sort=siteName")).toEqual(["Ä", "a", "ä", "Éclair"])
    const capacities = (await send("GET /api/sites?sort=capacityKw&order=desc")).json.data
    expect(capacities.map(({ capacity }: { capacity: number }) => capacity)).toEqual([3, 3, 2, 2, 2, 1, 1, 1])
  })

  it("refuse a cursor of another order or of other conditions", async () => {
    const cursorOf = async (query: string): Promise<string> =>
      (await send(`GET /api/sites?limit=2${query}`)).json.nextCursor
    const queries = ["", "&sort=siteName", "&sort=siteName&order=desc", "&q=a", "&unit=MW", "&order=desc"]
    for (const query of queries) {
      const cursor = await cursorOf(query)
      for (const other of queries) {
        const { json, status } = await send(`GET /api/sites?limit=2${other}&cursor=${cursor}`)
        if (other === query) expect(status, query).toBe(200)
        else expect([status, json.errors[0]], `${query}, ${other}`).toMatchObject([400, { code: "invalid_cursor" }])
      }
    }
    const oldest = await cursorOf("")
    expect(await cursorOf("&sort=createdAt&order=asc"), "the default order by name").toBe(oldest)
    expect((await send(`GET /api/sites?sort=createdAt&cursor=${oldest}`)).status).toBe(200)
  })

  it("refuse orders, words and instants that are none", async () => {
    const faults = [
      ["sort=name", "/sort"],
      ["order=up", "/order"],
      ["q=%20", "/q"],
      [`q=${"x".repeat(201)}`, "/q"],
      ["updatedAfter=yesterday", "/updatedAfter"],
      ["updatedAfter=2026-02-30T00:00:00Z", "/updatedAfter"],
      ["unit=kV", "/unit"],
      ["q=a&q=b", "/q"]
    ] as const
    for (const [query, pointer] of faults) {
      const { json, status } = await send(`GET /api/sites?${query}`)
      expect([status, json.errors[0].pointer], query).toEqual([400, pointer])
    }
    expect((await send("GET /api/docs?validUntilBefore=2026-02-30")).status).toBe(400)
    expect((await send("GET /api/portfolios?sort=capacityKw")).status).toBe(400)
  })
})

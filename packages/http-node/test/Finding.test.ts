import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { aNewSite, type Binding, bindings, caller, makeSetup, type Send, type Setup, uploadsOf } from "./Setup.ts"

type Items = ReadonlyArray<Record<string, string | null>>

const names = ["b", "Ä", "a", "C", "z", "B", "Éclair", "ä"]
const sorted = ["Ä", "a", "ä", "b", "B", "C", "Éclair", "z"]

describe.each(Object.entries(bindings))("search and order through %s", (_, bind) => {
  let setup: Setup
  let binding: Binding
  let send: Send
  beforeAll(async () => {
    setup = await makeSetup()
    binding = await bind(setup.ports)
  })
  beforeEach(async () => {
    send = caller(binding, (await setup.join("Sunfield")).key)
    for (const [index, siteName] of names.entries()) {
      await send("POST /api/sites", { body: { ...aNewSite, siteName, capacity: (index % 3) + 1 } })
    }
  })
  afterAll(async () => {
    await binding.close()
    await setup.close()
  })

  const namesIn = (json: { data: Items }) => json.data.map(({ siteName }) => siteName)

  /** All items, read in pages. */
  const pagesOf = async (path: string): Promise<{ readonly data: Items }> => {
    const data: Array<Items[number]> = []
    let cursor: string | null = ""
    while (cursor !== null) {
      const { json } = await send(`GET ${path}&limit=3${cursor === "" ? "" : `&cursor=${cursor}`}`)
      data.push(...json.data)
      cursor = json.nextCursor
    }
    return { data }
  }

  /** The items in ascending order. Expects the reverse in descending order, and the same in pages. */
  const inBothDirections = async (path: string): Promise<Items> => {
    const ascending: Items = (await send(`GET ${path}&order=asc`)).json.data
    expect((await send(`GET ${path}&order=desc`)).json.data, path).toEqual(ascending.toReversed())
    expect((await pagesOf(`${path}&order=asc`)).data, path).toEqual(ascending)
    expect((await pagesOf(`${path}&order=desc`)).data, path).toEqual(ascending.toReversed())
    return ascending
  }

  it("sort sites in both directions, complete and in pages", async () => {
    for (const [order, expected] of [
      ["asc", sorted],
      ["desc", sorted.toReversed()]
    ] as const) {
      const path = `/api/sites?sort=siteName&order=${order}`
      expect(namesIn((await send(`GET ${path}`)).json), order).toEqual(expected)
      expect(namesIn(await pagesOf(path)), order).toEqual(expected)
    }
    expect(namesIn(await pagesOf("/api/sites?order=desc"))).toEqual(names.toReversed())
    expect(namesIn(await pagesOf("/api/sites?q=A&sort=siteName"))).toEqual(["Ä", "a", "ä", "Éclair"])
    const capacities = (await send("GET /api/sites?sort=capacityKw&order=desc")).json.data
    expect(capacities.map(({ capacity }: { capacity: number }) => capacity)).toEqual([3, 3, 2, 2, 2, 1, 1, 1])
  })

  it("sort items without a value last, and in the reverse order in desc", async () => {
    const [portfolio] = (await send("POST /api/portfolios", { body: [{ name: "North" }] })).json.data
    const place = { portfolioId: portfolio.id }
    const siteId = (await send("POST /api/sites", { body: { ...aNewSite, ...place } })).json.id
    const days = ["2026-05-01", null, "2027-01-01", "2026-05-01", null, null]
    const files = days.map((validUntil) => ({ filename: "a.txt", mimeType: "text/plain", validUntil }))
    const body = { siteId, fileType: "documents", files }
    const { results } = (await send("POST /api/docs/bulk-upload-url", { body })).json
    const byDay = await inBothDirections(`/api/docs?siteId=${siteId}&sort=validUntil`)
    const inOrder = [0, 3, 2, 1, 4, 5].map((index) => results[index].documentId)
    expect(byDay.map(({ id }) => id)).toEqual(inOrder)
    for (const sort of ["createdAt", "updatedAt", "filename"]) {
      await inBothDirections(`/api/docs?siteId=${siteId}&sort=${sort}`)
    }
    for (const sort of ["createdAt", "updatedAt", "siteName", "capacityKw"]) {
      await inBothDirections(`/api/sites?sort=${sort}`)
    }
    await send("POST /api/portfolios", { body: [{ name: "n\u00d6rth" }, { name: "\u{1F600}" }, { name: "\uFF5E" }] })
    for (const sort of ["createdAt", "updatedAt"]) await inBothDirections(`/api/portfolios?sort=${sort}`)
    const byName = await inBothDirections("/api/portfolios?sort=name")
    expect(byName.map(({ name }) => name)).toEqual(["North", "n\u00d6rth", "\uFF5E", "\u{1F600}"])
  })

  it("refuse a cursor of another order or of other conditions", async () => {
    const siteId = (await send("POST /api/sites", { body: aNewSite })).json.id
    await send("POST /api/docs/bulk-upload-url", { body: uploadsOf(siteId, "a.txt", "b.txt", "c.txt") })
    await send("POST /api/portfolios", { body: ["a", "b", "ab"].map((name) => ({ name })) })
    const since = "&updatedAfter=2026-01-01T00:00:00Z"
    const queries = {
      sites: ["", "&sort=siteName", "&sort=siteName&order=desc", "&q=a", "&unit=MW", "&order=desc", since],
      portfolios: ["", "&sort=name", "&sort=updatedAt&order=desc", since],
      docs: ["", "&sort=validUntil", "&sort=filename", "&current=false", "&type=documents", `&siteId=${siteId}`, since],
      coverage: ["", `&asOf=2026-01-01`, "&asOf=2026-01-02", "&state=missing&documentType=ppa"]
    }
    const requirements = [{ documentType: "ppa" }]
    await send("PUT /api/document-requirements", { body: { requirements } })
    for (const [list, ofList] of Object.entries(queries)) {
      for (const query of ofList) {
        const { nextCursor } = (await send(`GET /api/${list}?limit=1${query}`)).json
        expect(nextCursor, `${list} ${query}`).not.toBeNull()
        for (const other of ofList) {
          const { json, status } = await send(`GET /api/${list}?limit=2${other}&cursor=${nextCursor}`)
          const found = [status, json.errors?.[0].code]
          expect(found, `${list} ${query}, ${other}`).toEqual(
            other === query ? [200, undefined] : [400, "invalid_cursor"]
          )
        }
      }
    }
    const cursorOf = async (query: string): Promise<string> =>
      (await send(`GET /api/sites?limit=2${query}`)).json.nextCursor
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

import { describe, expect, it } from "vitest"
import { useServer } from "./Serving.ts"
import { aNewSite, bindings } from "./Setup.ts"

interface Shown {
  readonly type: string
  readonly sequence: number
  readonly subject: { readonly id: string }
}

const typesOf = (events: ReadonlyArray<Shown>) => events.map(({ type }) => type)

describe.each(Object.entries(bindings))("the feed of events through %s", (_, bind) => {
  const { member, send } = useServer(bind)

  const create = async (siteName: string) =>
    (await send("POST /api/sites", { body: { ...aNewSite, siteName } })).json.id as string

  it("names the key and the request behind a change", async () => {
    const headers = { "x-request-id": "nightly-import-0001" }
    const { json: site } = await send("POST /api/sites", { body: { ...aNewSite, siteName: "Named" }, headers })
    const { json: key } = await send("GET /api/me")
    const { json } = await send(`GET /api/events?subjectId=${site.id}`)
    expect(json).toMatchObject({
      data: [
        {
          type: "site.created",
          actor: { userId: key.userId, apiKeyId: key.apiKey.id, keyPrefix: key.apiKey.prefix },
          subject: { type: "site", id: site.id, name: "Named" },
          siteId: site.id,
          requestId: "nightly-import-0001"
        }
      ],
      nextCursor: null
    })
    expect(JSON.stringify(json)).not.toContain(member().key)
  })

  it("is complete and ascending without a limit, in pages with one, and goes on from its end", async () => {
    const ids = [await create("A"), await create("B"), await create("C")]
    const { json: all } = await send("GET /api/events")
    expect(all.nextCursor).toBe(null)
    const sequences = all.data.map(({ sequence }: Shown) => sequence)
    expect(sequences).toEqual([...sequences].sort((a, b) => a - b))
    expect(all.data.slice(-3).map(({ subject }: Shown) => subject.id)).toEqual(ids)

    const paged: Array<Shown> = []
    let cursor = ""
    while (true) {
      const { data, nextCursor } = (await send(`GET /api/events?limit=2${cursor}`)).json
      cursor = `&cursor=${nextCursor}`
      if (data.length === 0) break
      paged.push(...data)
    }
    expect(paged).toEqual(all.data)

    const later = await create("D")
    const { json } = await send(`GET /api/events?limit=2${cursor}`)
    expect(json.data.map(({ subject }: Shown) => subject.id)).toEqual([later])
  })

  it("ends in descending order, as other lists do", async () => {
    await create("E")
    const { json: ascending } = await send("GET /api/events")
    const { json: descending } = await send("GET /api/events?order=desc")
    expect(descending.data).toEqual(ascending.data.toReversed())
    const { json: page } = await send("GET /api/events?order=desc&limit=1000")
    expect(page).toEqual(descending)
    const { json: latest } = await send("GET /api/events?order=desc&limit=1")
    const { json: rest } = await send(`GET /api/events?order=desc&cursor=${latest.nextCursor}`)
    expect([...latest.data, ...rest.data]).toEqual(descending.data)
  })

  it("filters by several types and prefixes", async () => {
    const id = await create("F")
    await send(`PUT /api/sites/${id}`, { body: { siteName: "G" } })
    await send(`DELETE /api/sites/${id}`)
    const listed = async (query: string) => typesOf((await send(`GET /api/events?siteId=${id}${query}`)).json.data)
    expect(await listed("")).toEqual(["site.created", "site.updated", "site.deleted"])
    expect(await listed("&type=site.*")).toEqual(["site.created", "site.updated", "site.deleted"])
    expect(await listed("&type=site.created&type=site.deleted&type=document.*")).toEqual([
      "site.created",
      "site.deleted"
    ])
    expect(await listed("&type=portfolio.*")).toEqual([])
    const { json } = await send("GET /api/me")
    expect(await listed(`&actorId=${json.apiKey.id}`)).toHaveLength(3)
    expect(await listed("&actorId=someone-else")).toEqual([])
    expect(await listed("&from=2000-01-01T00:00:00Z&to=2999-01-01T00:00:00.5%2B02:00")).toHaveLength(3)
    expect(await listed("&to=2000-01-01T00:00:00Z")).toEqual([])
  })

  it("goes on from a place under other filters, and in the other order", async () => {
    const ids = [await create("H"), await create("I"), await create("J")]
    await send(`PUT /api/sites/${ids[0]}`, { body: { siteName: "K" } })
    const { json: all } = await send("GET /api/events?type=site.*&limit=1000")
    const place = all.data.findIndex(({ subject }: Shown) => subject.id === ids[1])
    const { nextCursor } = (await send(`GET /api/events?type=site.*&limit=${place + 1}`)).json
    const rest = await send(`GET /api/events?subjectId=${ids[0]}&from=2000-01-01T00:00:00Z&cursor=${nextCursor}`)
    expect(typesOf(rest.json.data)).toEqual(["site.updated"])
    const before = await send(`GET /api/events?subjectId=${ids[0]}&order=desc&cursor=${nextCursor}`)
    expect(typesOf(before.json.data)).toEqual(["site.created"])
  })

  it("begins with the instant `from`, and ends before the instant `to`", async () => {
    const id = await create("L")
    const [{ occurredAt }] = (await send(`GET /api/events?subjectId=${id}`)).json.data
    const listed = async (query: string) =>
      typesOf((await send(`GET /api/events?subjectId=${id}&${query}`)).json.data).length
    const next = new Date(Date.parse(occurredAt) + 1).toISOString()
    expect([await listed(`from=${occurredAt}`), await listed(`from=${next}`)]).toEqual([1, 0])
    expect([await listed(`to=${occurredAt}`), await listed(`to=${next}`)]).toEqual([0, 1])
    expect([
      await listed(`from=${occurredAt}&to=${next}`),
      await listed(`from=${occurredAt}&to=${occurredAt}`)
    ]).toEqual([1, 0])
  })

  it.each([
    ["type=site.opened", "/type/0", "invalid_value"],
    ["type=*", "/type/0", "invalid_value"],
    ["type=site.created&type=document", "/type/1", "invalid_value"],
    ["subjectId=7", "/subjectId", "invalid_uuid"],
    ["siteId=7", "/siteId", "invalid_uuid"],
    ["actorId=", "/actorId", "too_short"],
    ["from=2026-01-01", "/from", "invalid_timestamp"],
    ["from=2026-13-01T00:00:00Z", "/from", "invalid_timestamp"],
    ["to=tomorrow", "/to", "invalid_timestamp"],
    ["order=down", "/order", "invalid_value"],
    ["limit=0", "/limit", "out_of_range"],
    ["limit=1001", "/limit", "out_of_range"],
    ["cursor=AAAA", "/cursor", "invalid_cursor"],
    ["order=asc&order=desc", "/order", "repeated_parameter"],
    ["types=site.created", "/types", "unknown_parameter"]
  ])("refuses ?%s", async (query, pointer, code) => {
    const { json, status } = await send(`GET /api/events?${query}`)
    expect([status, json.code, json.errors]).toEqual([
      400,
      "validation_failed",
      [expect.objectContaining({ pointer, code })]
    ])
  })
})

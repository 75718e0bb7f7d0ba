import { describe, expect, it } from "vitest"
import { useServer } from "./Serving.ts"
import { aNewSite, bindings, caller, unknownId } from "./Setup.ts"

describe.each(Object.entries(bindings))("endpoints through %s", (_, bind) => {
  const { binding, send } = useServer(bind)

  const newSite = async (more: object = {}) => (await send("POST /api/sites", { body: { ...aNewSite, ...more } })).json
  const newPortfolio = async (name = "North") =>
    (await send("POST /api/portfolios", { body: { portfolios: [{ name }] } })).json.data[0]

  it("creates a site, returns its Location, and reads it", async () => {
    const created = await send("POST /api/sites", { body: { ...aNewSite, siteManager: { name: " Ada " } } })
    expect(created.status).toBe(201)
    expect(created.headers.get("location")).toBe(`/api/sites/${created.json.id}`)
    expect(created.headers.get("etag")).toBe('"1"')
    expect(created.json).toMatchObject({
      ...aNewSite,
      capacityKw: 1200,
      address: null,
      portfolioId: null,
      siteManager: { name: "Ada", email: null, phone: null, company: null, userId: null },
      version: 1
    })
    expect(created.json.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    const read = await send(`GET /api/sites/${created.json.id.toUpperCase()}`)
    expect([read.status, read.headers.get("etag"), read.json]).toEqual([200, '"1"', created.json])
  })

  it("puts the same headers on every answer", async () => {
    for (const line of ["GET /api/sites", "GET /nowhere", "PATCH /api/sites", "OPTIONS /api/sites", "HEAD /docs"]) {
      const { headers } = await send(line, { headers: { "x-request-id": "my-request-17" } })
      expect(headers.get("x-request-id")).toBe("my-request-17")
      expect(headers.get("cache-control")).toBe("no-store")
      expect(headers.get("x-content-type-options")).toBe("nosniff")
    }
    for (const bad of ["short", "with spaces in it", "x".repeat(65)]) {
      const { headers, json } = await send("GET /nowhere", { headers: { "x-request-id": bad } })
      expect(headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/)
      expect(json.requestId).toBe(headers.get("x-request-id"))
    }
  })

  it("merges a change, and changes nothing when nothing is new", async () => {
    const site = await newSite({ address: "Farm" })
    const changed = await send(`PUT /api/sites/${site.id}`, { body: { ...site, siteName: "Short Meadow" } })
    expect(changed.json).toMatchObject({ siteName: "Short Meadow", address: "Farm", version: 2 })
    expect(changed.headers.get("etag")).toBe('"2"')
    expect((await send(`PUT /api/sites/${site.id}`, { body: {} })).json).toEqual(changed.json)
    const cleared = await send(`PUT /api/sites/${site.id}`, { body: { address: null } })
    expect(cleared.json).toMatchObject({ address: null, version: 3 })
  })

  it("honours If-Match", async () => {
    const { id } = await newSite()
    const put = (etag: string) => send(`PUT /api/sites/${id}`, { body: {}, headers: { "if-match": etag } })
    for (const etag of ['"1"', '"7", "1"', "*"]) expect((await put(etag)).status).toBe(200)
    for (const etag of ['"2"', 'W/"1"', '"one"', '"01"', '"3000000000"']) {
      const stale = await put(etag)
      expect([stale.status, stale.json.code]).toEqual([412, "precondition_failed"])
    }
    const malformed = await put("1")
    expect([malformed.status, malformed.json.code]).toEqual([400, "invalid_header"])
    expect((await send(`DELETE /api/sites/${id}`, { headers: { "if-match": '"9"' } })).status).toBe(412)
    expect((await send(`DELETE /api/sites/${id}`, { headers: { "if-match": '"1"' } })).status).toBe(204)
    expect((await send(`DELETE /api/sites/${id}`, { headers: { "if-match": '"9"' } })).status).toBe(404)
    const portfolio = await newPortfolio()
    const stale = await send(`PUT /api/portfolios/${portfolio.id}`, { body: {}, headers: { "if-match": '"2"' } })
    expect(stale.status).toBe(412)
  })

  it("lists sites in pages and under conditions", async () => {
    const portfolio = await newPortfolio()
    const sites = [await newSite({ portfolioId: portfolio.id }), await newSite({ portfolioId: portfolio.id })]
    const of = `portfolioId=${portfolio.id.toUpperCase()}`
    expect((await send(`GET /api/sites?${of}`)).json).toEqual({ data: sites, nextCursor: null })
    const first = (await send(`GET /api/sites?${of}&limit=1`)).json
    expect(first.data).toEqual([sites[0]])
    const second = (await send(`GET /api/sites?${of}&limit=1&cursor=${first.nextCursor}`)).json
    expect(second).toEqual({ data: [sites[1]], nextCursor: null })
    expect((await send(`GET /api/sites?siteId=${unknownId}`)).json).toEqual({ data: [], nextCursor: null })
    expect((await send(`GET /api/sites?siteId=${sites[0].id}&${of}`)).json.data).toEqual([sites[0]])
  })

  it("creates portfolios in bulk, from an object or a bare array", async () => {
    const names = [{ name: "B" }, { name: "A" }]
    for (const body of [{ portfolios: names }, names]) {
      const { json, status } = await send("POST /api/portfolios", { body })
      expect([status, json.data.map(({ name }: { name: string }) => name)]).toEqual([201, ["B", "A"]])
    }
    const { id } = await newPortfolio("West")
    expect((await send(`PUT /api/portfolios/${id}`, { body: { name: "East" } })).json).toMatchObject({ name: "East" })
    const read = await send(`GET /api/portfolios/${id}`)
    expect([read.json.name, read.headers.get("etag")]).toEqual(["East", '"2"'])
    expect((await send(`DELETE /api/portfolios/${id}`)).status).toBe(204)
    expect((await send(`GET /api/portfolios/${id}`)).json.code).toBe("portfolio_not_found")
  })

  it("adds sites to portfolios and removes them, in every form of the request", async () => {
    const { id } = await newPortfolio()
    const path = `/api/portfolios/${id}/sites`
    const [one, two] = [(await newSite()).id, (await newSite()).id]
    const added = await send(`POST ${path}`, { body: { siteIds: [two, one, two] } })
    expect(added.json.data.map((site: { id: string }) => site.id)).toEqual([two, one])
    expect((await send(`POST ${path}`, { body: { siteId: one } })).json.data[0].version).toBe(2)
    const listed = (await send("GET /api/portfolios/with-sites")).json.data.find((it: { id: string }) => it.id === id)
    expect(listed).toMatchObject({ siteCount: 2, capacityKw: 2400 })
    expect(listed.sites.map((site: { id: string }) => site.id)).toEqual([one, two])
    expect((await send(`DELETE ${path}`, { body: { siteId: one } })).status).toBe(204)
    const again = await send(`DELETE ${path}?siteId=${two}&siteId=${one}`)
    expect([again.status, again.json.code]).toEqual([404, "site_not_in_portfolio"])
    expect((await send(`DELETE ${path}?siteId=${two}`)).status).toBe(204)
    expect((await send(`POST ${path}`, { body: { siteIds: [one, two], siteId: null } })).status).toBe(200)
    expect((await send(`DELETE ${path}`, { body: { siteIds: null, siteId: one } })).status).toBe(204)
    expect((await send(`DELETE ${path}`, { body: { siteIds: [two] } })).status).toBe(204)
    for (const [line, body] of [
      [`POST ${path}`, {}],
      [`POST ${path}`, { siteId: null, siteIds: null }],
      [`POST ${path}`, { siteId: one, siteIds: [two] }],
      [`DELETE ${path}`, undefined],
      [`DELETE ${path}`, {}],
      [`DELETE ${path}?siteId=${two}`, { siteId: one }]
    ] as const) {
      const { json, status } = await send(line, { body })
      expect([status, json.errors[0].code]).toEqual([400, "exactly_one"])
    }
  })

  it("names the missing sites of a bulk request by their positions alone", async () => {
    const { id } = await newPortfolio()
    const site = await newSite()
    const { json, status } = await send(`POST /api/portfolios/${id}/sites`, { body: { siteIds: [site.id, unknownId] } })
    expect([status, json.code]).toEqual([404, "site_not_found"])
    expect(json.errors).toEqual([expect.objectContaining({ pointer: "/siteIds/1", code: "site_not_found" })])
    expect((await send(`GET /api/sites/${site.id}`)).json.portfolioId).toBeNull()
  })

  it("returns organisation, user and key of the caller", async () => {
    const { json } = await send("GET /api/me")
    expect(json).toMatchObject({ organisation: { name: "Sunfield", status: "active" }, userId: null })
    expect(json.apiKey).toMatchObject({ name: "test", prefix: expect.stringMatching(/^sk_live_.{6}$/) })
  })

  it("serves health and documents without a key", async () => {
    const open = caller(binding(), null)
    expect((await open("GET /health/live")).json).toEqual({ status: "up", checks: {} })
    expect((await open("GET /health/ready")).json).toEqual({ status: "up", checks: {} })
    expect((await open("GET /openapi.json")).json.openapi).toBe("3.1.0")
    const page = await open("GET /docs")
    expect(page.headers.get("content-type")).toMatch(/^text\/html/)
    expect(page.text).not.toMatch(/<(?:script|link)[^>]+(?:src|href)="?http/)
  })

  it("answers HEAD as GET without a body, and OPTIONS with the methods", async () => {
    const head = await send("HEAD /api/sites?limit=1")
    expect([head.status, head.text]).toEqual([200, ""])
    const options = await send("OPTIONS /api/sites/anything")
    expect([options.status, options.headers.get("allow")]).toEqual([204, "GET, HEAD, PUT, DELETE, OPTIONS"])
  })
})

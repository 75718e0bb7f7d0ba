import { ListCoverage, paging, SummariseCoverage } from "@solar-sites/core"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { aNewSite, type Binding, bindings, caller, makeSetup, type Send, type Setup, unknownId } from "./Setup.ts"

const path = "/api/document-requirements"

describe.each(Object.entries(bindings))("requirements and coverage through %s", (_, bind) => {
  let setup: Setup
  let binding: Binding
  let send: Send
  let portfolioId: string
  let siteId: string
  beforeAll(async () => {
    setup = await makeSetup()
    binding = await bind(setup.ports)
  })
  beforeEach(async () => {
    send = caller(binding, (await setup.join("Sunfield")).key)
    portfolioId = (await send("POST /api/portfolios", { body: [{ name: "North" }] })).json.data[0].id
    siteId = (await send("POST /api/sites", { body: { ...aNewSite, portfolioId } })).json.id
    await send("POST /api/sites", { body: aNewSite })
  })
  afterAll(async () => {
    await binding.close()
    await setup.close()
  })

  const put = (requirements: unknown, version?: string) =>
    send(`PUT ${path}`, { body: { requirements }, ...(version && { headers: { "if-match": version } }) })
  const errorsOf = async (requirements: unknown) => {
    const { json, status } = await put(requirements)
    return [status, json.errors?.map((fault: { pointer: string; code: string }) => `${fault.pointer} ${fault.code}`)]
  }

  it("replaces the list with its defaults, in the expected version alone", async () => {
    const empty = await send(`GET ${path}`)
    expect([empty.headers.get("etag"), empty.json]).toEqual(['"0"', { requirements: [], version: 0 }])
    expect((await put([{ documentType: "ppa" }], '"1"')).status).toBe(412)
    const first = await put(
      [{ documentType: "ppa" }, { documentType: "ppa", portfolioId, validityRequired: true }],
      '"0"'
    )
    const defaults = { documentType: "ppa", validityRequired: false, portfolioId: null, expiringWithinDays: 30 }
    const requirements = [defaults, { ...defaults, portfolioId, validityRequired: true }]
    expect([first.status, first.headers.get("etag"), first.json]).toEqual([200, '"1"', { requirements, version: 1 }])
    for (const body of [first.json, {}]) {
      const again = await send(`PUT ${path}`, { body, headers: { "if-match": '"0", "1"' } })
      expect([again.status, again.json]).toEqual([200, first.json])
    }
    const withNulls = { documentType: "ppa", validityRequired: null, portfolioId: null, expiringWithinDays: null }
    const unchanged = await put([withNulls, requirements[1]], '"1"')
    expect([unchanged.status, unchanged.json]).toEqual([200, first.json])
    expect((await put([], '"0"')).status).toBe(412)
    expect((await send(`PUT ${path}`, { body: {}, headers: { "if-match": '"7"' } })).json.code).toBe(
      "precondition_failed"
    )
  })

  it("points to every fault of a list, and changes nothing", async () => {
    const before = (await send(`GET ${path}`)).json
    const twice = [{ documentType: "ppa" }, { documentType: "epc" }, { documentType: "ppa", portfolioId: null }]
    expect(await errorsOf(twice)).toEqual([400, ["/requirements/2 duplicate"]])
    const upper = [portfolioId, portfolioId.toUpperCase()].map((id) => ({ documentType: "ppa", portfolioId: id }))
    expect(await errorsOf(upper)).toEqual([400, ["/requirements/1 duplicate"]])
    expect(
      await errorsOf([
        { documentType: "x", expiringWithinDays: 0 },
        { documentType: "ppa", expires: 1 }
      ])
    ).toEqual([
      400,
      [
        "/requirements/0/documentType invalid_value",
        "/requirements/0/expiringWithinDays out_of_range",
        "/requirements/1/expires unknown_member"
      ]
    ])
    expect(await errorsOf(null)).toEqual([400, ["/requirements invalid_type"]])
    expect(await errorsOf(Array.from({ length: 201 }, () => ({})))).toEqual([400, ["/requirements too_many"]])
    const missing = [{ documentType: "epc" }, { documentType: "ppa", portfolioId: unknownId }]
    expect(await errorsOf(missing)).toEqual([404, ["/requirements/1/portfolioId portfolio_not_found"]])
    expect((await send(`GET ${path}`)).json).toEqual(before)
  })

  /** Two requirements, one of them for the portfolio, and a pending document of its site. */
  const requireAndIssue = async () => {
    await put([{ documentType: "insurance" }, { documentType: "ppa", portfolioId }])
    const file = { filename: "ppa.txt", mimeType: "text/plain", documentType: "ppa" }
    await send("POST /api/docs/bulk-upload-url", { body: { siteId, fileType: "documents", files: [file] } })
  }

  it("filters the coverage of sites by every condition that the query has", async () => {
    await requireAndIssue()
    const values: Readonly<Record<string, string>> = { portfolioId, siteId, state: "pending", documentType: "ppa" }
    for (const member of Object.keys(ListCoverage.fields)) {
      if (member in paging("coverage", 1) || member === "asOf") continue
      expect(values, "a condition without a value in this test").toHaveProperty(member)
      const { json } = await send(`GET /api/coverage?${member}=${values[member]}`)
      expect(json, member).toMatchObject({ data: [{ siteId, portfolioId, complete: false }], nextCursor: null })
      expect(json.data[0].items.map((item: { state: string }) => item.state)).toEqual(["missing", "pending"])
    }
    expect((await send("GET /api/coverage?asOf=2026-02-28")).json.data).toHaveLength(2)
    expect((await send("GET /api/coverage?state=pending&documentType=insurance")).json.data).toEqual([])
    expect((await send("GET /api/coverage?asOf=2026-02-29")).json.errors[0].pointer).toBe("/asOf")
    const { json: first } = await send("GET /api/coverage?limit=1")
    const { json: second } = await send(`GET /api/coverage?limit=1&cursor=${first.nextCursor}`)
    expect([...first.data, ...second.data]).toEqual((await send("GET /api/coverage")).json.data)
    expect(second.nextCursor).toBeNull()
  })

  it("counts sites on a day", async () => {
    expect(Object.keys(SummariseCoverage.fields)).toEqual(["portfolioId", "asOf"])
    await requireAndIssue()
    const { json } = await send(`GET /api/coverage/summary?asOf=2026-02-28&portfolioId=${portfolioId}`)
    const none = { missing: 0, pending: 0, valid: 0, expiring: 0, expired: 0, not_yet_valid: 0 }
    expect(json).toEqual({
      asOf: "2026-02-28",
      siteCount: 1,
      completeCount: 0,
      documentTypes: [
        { documentType: "insurance", ...none, missing: 1 },
        { documentType: "ppa", ...none, pending: 1 }
      ]
    })
    const { json: all } = await send("GET /api/coverage/summary")
    expect([/^\d{4}-\d\d-\d\d$/.test(all.asOf), all.siteCount]).toEqual([true, 2])
  })
})

import { beforeAll, describe, expect, it } from "vitest"
import { useServer } from "./Serving.ts"
import { aNewSite, bindings, type Send, unknownId, uploadsOf } from "./Setup.ts"

describe.each(Object.entries(bindings))("order of checks of the contents of a request, through %s", (_, bind) => {
  const { member, send } = useServer(bind)
  let siteId: string
  beforeAll(async () => {
    siteId = (await send("POST /api/sites", { body: aNewSite })).json.id
    // The address of an uploaded cover of the site, as a storage without https signs it.
    cover = `http://127.0.0.1/storage/${member().organisation.id}/${siteId}/${unknownId}?signature=x`
  })
  let cover: string

  const used = async (): Promise<Record<string, string>> => {
    const headers = { "idempotency-key": crypto.randomUUID() }
    await send("POST /api/sites", { headers, body: aNewSite })
    return headers
  }
  const pointers = ({ json }: Awaited<ReturnType<Send>>) =>
    json.errors.map(({ code, pointer }: { code: string; pointer: string }) => `${code} ${pointer}`)

  it("refuses the uploaded cover of another site before it looks for the site, whatever its id", async () => {
    const other = (await send("POST /api/sites", { body: aNewSite })).json.id
    for (const id of [unknownId, "abc", other]) {
      const answer = await send(`PUT /api/sites/${id}`, { body: { coverImageUrl: cover } })
      expect([answer.status, answer.json.code]).toEqual([400, "validation_failed"])
      expect(pointers(answer)).toEqual(["invalid_url /coverImageUrl"])
    }
    expect((await send(`PUT /api/sites/${siteId}`, { body: { coverImageUrl: cover } })).json.version).toBe(1)
    const own = cover.replace(siteId, unknownId)
    expect((await send(`PUT /api/sites/${unknownId}`, { body: { coverImageUrl: own } })).json.code).toBe(
      "site_not_found"
    )
  })

  it("reports the cover of another site once, among all other faults", async () => {
    const created = await send("POST /api/sites", { body: { ...aNewSite, capacity: 0, coverImageUrl: cover } })
    expect(pointers(created).toSorted()).toEqual(["invalid_url /coverImageUrl", "out_of_range /capacity"])
    const changed = await send(`PUT /api/sites/${unknownId}`, { body: { capacity: 0, coverImageUrl: cover } })
    expect(pointers(changed).toSorted()).toEqual(["invalid_url /coverImageUrl", "out_of_range /capacity"])
    for (const coverImageUrl of ["http://example.com/a.png", `${cover}${"x".repeat(2_048)}`, "https://a b", 7]) {
      expect(pointers(await send(`PUT /api/sites/${siteId}`, { body: { coverImageUrl } }))).toHaveLength(1)
    }
  })

  it("checks the contents before an Idempotency-Key of another request", async () => {
    const headers = await used()
    const answer = await send("POST /api/sites", { headers, body: { ...aNewSite, coverImageUrl: cover } })
    expect([answer.status, answer.json.code]).toEqual([400, "validation_failed"])
  })

  it("looks up resources before it refuses an Idempotency-Key of another request", async () => {
    const headers = await used()
    const portfolioId = (await send("POST /api/portfolios", { body: [{ name: "North" }] })).json.data[0].id
    const documentId = (await send("POST /api/docs/bulk-upload-url", { body: uploadsOf(siteId, "a.txt") })).json
      .results[0].documentId
    const cases: ReadonlyArray<readonly [line: string, body: unknown, code: string]> = [
      [`POST /api/portfolios/${unknownId}/sites`, { siteId }, "portfolio_not_found"],
      ["POST /api/portfolios/abc/sites", { siteId }, "portfolio_not_found"],
      [`POST /api/portfolios/${portfolioId}/sites`, { siteIds: [siteId, unknownId] }, "site_not_found"],
      ["POST /api/sites", { ...aNewSite, portfolioId: unknownId }, "portfolio_not_found"],
      ["POST /api/docs/bulk-upload-url", uploadsOf(unknownId, "a.txt"), "site_not_found"],
      [`POST /api/docs/${unknownId}/upload-url`, {}, "document_not_found"]
    ]
    for (const [line, body, code] of cases) {
      const requestId = { "x-request-id": "the-same-id" }
      const answer = await send(line, { headers: { ...headers, ...requestId }, body })
      expect([line, answer.status, answer.json.code]).toEqual([line, 404, code])
      expect(answer.text).toBe((await send(line, { headers: requestId, body })).text)
    }
    for (const [line, body] of [
      [`POST /api/portfolios/${portfolioId}/sites`, { siteIds: [siteId] }],
      ["POST /api/sites", { ...aNewSite, portfolioId }],
      ["POST /api/docs/bulk-upload-url", uploadsOf(siteId, "a.txt")],
      [`POST /api/docs/${documentId}/upload-url`, {}]
    ] as const) {
      const answer = await send(line, { headers, body })
      expect([line, answer.status, answer.json.code]).toEqual([line, 409, "idempotency_key_reused"])
    }
    expect((await send("GET /api/docs")).json.data).toHaveLength(1)
  })
})

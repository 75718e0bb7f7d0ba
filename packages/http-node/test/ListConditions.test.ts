import { ListDocuments, ListPortfolios, ListSites } from "@solar-sites/core"
import { describe, expect, it, vi } from "vitest"
import { useServer } from "./Serving.ts"
import { aNewSite, bindings, uploadsOf } from "./Setup.ts"

/** The members of the query but for those of paging. */
const conditionsOf = (fields: object): ReadonlyArray<string> =>
  Object.keys(fields).filter((member) => !["limit", "cursor", "sort", "order"].includes(member))

describe.each(Object.entries(bindings))("lists through %s", (_, bind) => {
  const { send, setup } = useServer(bind)

  const newSite = async (more: object = {}) => (await send("POST /api/sites", { body: { ...aNewSite, ...more } })).json

  /** The instant, once it has passed. */
  const isPast = async (instant: string): Promise<string> => {
    await vi.waitUntil(() => new Date().toISOString() > instant)
    return instant
  }

  it("filter sites by every condition that the query has", async () => {
    const { json } = await send("POST /api/portfolios", { body: { portfolios: [{ name: "North" }] } })
    const portfolioId = json.data[0].id
    const updatedAfter = await isPast((await newSite()).updatedAt)
    const site = await newSite({ portfolioId, siteName: "Ölmühle Süd", unit: "GWp", externalId: "S 1", tags: ["roof"] })
    const values: Readonly<Record<string, string>> = {
      siteId: site.id,
      portfolioId,
      q: "SUD olmu",
      externalId: "S 1",
      tag: "roof",
      unit: "GWp",
      updatedAfter
    }
    for (const member of conditionsOf(ListSites.fields)) {
      expect(values, "a condition without a value in this test").toHaveProperty(member)
      const found = await send(`GET /api/sites?${member}=${encodeURIComponent(values[member] ?? "")}`)
      expect(found.json, member).toEqual({ data: [site], nextCursor: null })
    }
  })

  it("filter documents by every condition that the query has", async () => {
    const { json } = await send("POST /api/portfolios", { body: { portfolios: [{ name: "East" }] } })
    const portfolioId = json.data[0].id
    const [{ id: siteId }, other] = [await newSite({ portfolioId }), await newSite()]
    await send("POST /api/docs/bulk-upload-url", { body: uploadsOf(other.id, "other.txt") })
    const updatedAfter = await isPast(new Date().toISOString())
    const files = [{ filename: "visit.txt", mimeType: "text/plain", documentType: "om_ticket" }]
    const body = { siteId, fileType: "om-documents", omRecordId: "OM-1", files }
    const [issued] = (await send("POST /api/docs/bulk-upload-url", { body })).json.results
    expect(await setup().put(issued.uploadUrl, "solar")).toBe(200)
    const { json: document } = await send(`PUT /api/docs/${issued.documentId}`, {
      body: { status: "uploaded", validUntil: "2026-12-30" }
    })
    const given = { current: true, portfolioId, q: "VISIT", validUntilBefore: "2026-12-31", updatedAfter }
    const values = { ...document, ...given }
    for (const member of conditionsOf(ListDocuments.fields)) {
      expect(values, "a condition without a value in this test").toHaveProperty(member)
      const found = await send(`GET /api/docs?${member}=${values[member]}`)
      expect(found.json, member).toEqual({ data: [document], nextCursor: null })
    }
  })

  it("filter portfolios by every condition that the query has", async () => {
    const create = async (name: string, externalId: string | null = null) =>
      (await send("POST /api/portfolios", { body: { portfolios: [{ name, externalId }] } })).json.data[0]
    const updatedAfter = await isPast((await create("West")).updatedAt)
    const portfolio = await create("Größe", "P 1")
    const values: Readonly<Record<string, string>> = { q: "grosse", externalId: "P 1", updatedAfter }
    for (const member of conditionsOf(ListPortfolios.fields)) {
      expect(values, "a condition without a value in this test").toHaveProperty(member)
      const found = await send(`GET /api/portfolios?${member}=${encodeURIComponent(values[member] ?? "")}`)
      expect(found.json, member).toEqual({ data: [portfolio], nextCursor: null })
    }
  })
})

import { ListDocuments, ListSites, paging } from "@solar-sites/core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { aNewSite, type Binding, bindings, caller, makeSetup, type Send, type Setup, uploadsOf } from "./Setup.ts"

/** The members of the query but for those of paging. */
const conditionsOf = (fields: object): ReadonlyArray<string> =>
  Object.keys(fields).filter((member) => !(member in paging("sites", 1)))

describe.each(Object.entries(bindings))("lists through %s", (_, bind) => {
  let setup: Setup
  let binding: Binding
  let send: Send
  beforeAll(async () => {
    setup = await makeSetup()
    binding = await bind(setup.ports)
    send = caller(binding, (await setup.join("Sunfield")).key)
  })
  afterAll(async () => {
    await binding.close()
    await setup.close()
  })

  const newSite = async (more: object = {}) => (await send("POST /api/sites", { body: { ...aNewSite, ...more } })).json

  it("filter sites by every condition that the query has", async () => {
    const { json } = await send("POST /api/portfolios", { body: { portfolios: [{ name: "North" }] } })
    const portfolioId = json.data[0].id
    await newSite()
    const site = await newSite({ portfolioId })
    const values: Readonly<Record<string, string>> = { siteId: site.id, portfolioId }
    for (const member of conditionsOf(ListSites.fields)) {
      expect(values, "a condition without a value in this test").toHaveProperty(member)
      const found = await send(`GET /api/sites?${member}=${values[member]}`)
      expect(found.json, member).toEqual({ data: [site], nextCursor: null })
    }
  })

  it("filter documents by every condition that the query has", async () => {
    const [{ id: siteId }, other] = [await newSite(), await newSite()]
    await send("POST /api/docs/bulk-upload-url", { body: uploadsOf(other.id, "other.txt") })
    const files = [{ filename: "visit.txt", mimeType: "text/plain", documentType: "om_ticket" }]
    const body = { siteId, fileType: "om-documents", omRecordId: "OM-1", files }
    const [issued] = (await send("POST /api/docs/bulk-upload-url", { body })).json.results
    expect(await setup.put(issued.uploadUrl, "solar")).toBe(200)
    const { json: document } = await send(`PUT /api/docs/${issued.documentId}`, { body: { status: "uploaded" } })
    const values = { ...document, current: true }
    for (const member of conditionsOf(ListDocuments.fields)) {
      expect(values, "a condition without a value in this test").toHaveProperty(member)
      const found = await send(`GET /api/docs?${member}=${values[member]}`)
      expect(found.json, member).toEqual({ data: [document], nextCursor: null })
    }
  })
})

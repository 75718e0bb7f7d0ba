/**
 * Shared requests: sites, portfolios, documents.
 */
import { expect, it } from "vitest"
import { aSite, expectProblem, type Mounted, newSite, type Send } from "./Calls.ts"

export const answersForSites = (mounted: () => Mounted, send: Send): void => {
  it("creates, reads, lists, changes and deletes a site", async () => {
    const created = await send("POST /api/sites", { body: newSite })
    const { id } = created.json
    expect([created.status, created.headers.get("etag")]).toEqual([201, '"1"'])
    expect(created.headers.get("location")).toBe(`${new URL(mounted().base).pathname}/api/sites/${id}`)

    const read = await send(`GET /api/sites/${id}`)
    expect([read.status, read.headers.get("etag"), read.json]).toEqual([200, '"1"', created.json])
    expect((await send(`GET /api/sites?siteId=${id}`)).json).toEqual({ data: [created.json], nextCursor: null })

    const changed = await send(`PUT /api/sites/${id}`, { body: { address: "LS1 4AB" }, headers: { "if-match": '"1"' } })
    expect([changed.status, changed.headers.get("etag"), changed.json.address]).toEqual([200, '"2"', "LS1 4AB"])
    const stale = await send(`PUT /api/sites/${id}`, { body: { address: null }, headers: { "if-match": '"1"' } })
    expectProblem(stale, 412, "precondition_failed")

    const deleted = await send(`DELETE /api/sites/${id}`)
    expect([deleted.status, deleted.text]).toEqual([204, ""])
    expectProblem(await send(`GET /api/sites/${id}`), 404, "site_not_found")
  })

  it("moves sites through portfolios", async () => {
    const siteId = await aSite(send)
    const made = await send("POST /api/portfolios", { body: { portfolios: [{ name: "South" }, { name: "North" }] } })
    const [south, north] = made.json.data
    const portfolioOf = async () => (await send(`GET /api/sites/${siteId}`)).json.portfolioId

    await send(`PUT /api/sites/${siteId}`, { body: { portfolioId: south.id } })
    expect(await portfolioOf()).toBe(south.id)
    expect((await send(`POST /api/portfolios/${north.id}/sites`, { body: { siteIds: [siteId] } })).status).toBe(200)
    expect(await portfolioOf()).toBe(north.id)

    const removal = `DELETE /api/portfolios/${north.id}/sites`
    expect((await send(removal, { body: { siteId } })).status).toBe(204)
    expect(await portfolioOf()).toBe(null)
    expectProblem(await send(`${removal}?siteId=${siteId}`), 404, "site_not_in_portfolio")
    expect((await send(`DELETE /api/portfolios/${south.id}`)).status).toBe(204)
  })

  it("streams a complete list", async () => {
    const [{ id: portfolioId }] = (await send("POST /api/portfolios", { body: [{ name: "Large" }] })).json.data
    // More than a page of the repository, in bodies that the parsers of the hosts take.
    const sites = Array.from({ length: 400 }, () => ({ ...newSite, portfolioId }))
    for (let created = 0; created < 1_200; created += sites.length) {
      expect((await send("POST /api/sites/bulk", { body: { sites } })).status).toBe(200)
    }
    for (const path of ["/api/sites", "/api/portfolios/with-sites"]) {
      const { headers, json, status } = await send(`GET ${path}`)
      expect([status, json.nextCursor, headers.get("content-length")]).toEqual([200, null, null])
      const listed = path === "/api/sites" ? json.data : json.data.flatMap((one: { sites: object[] }) => one.sites)
      expect(listed.length).toBeGreaterThanOrEqual(1_200)
    }
    expect((await send("GET /api/sites?limit=2")).json.nextCursor).toEqual(expect.any(String))
  })
}

export const answersForDocuments = (send: Send, hasStore: boolean): void => {
  const issue = async () => {
    const siteId = await aSite(send)
    const files = [
      { filename: "plan.txt", mimeType: "text/plain", documentType: "handover_document" },
      { filename: "page.html", mimeType: "text/html" }
    ]
    return send("POST /api/docs/bulk-upload-url", { body: { siteId, fileType: "documents", files } })
  }

  it("issues an address for each valid file", async () => {
    const { json, status } = await issue()
    expect([status, json.summary]).toEqual([200, { total: 2, successful: 1, failed: 1 }])
    expect(json.results[1].error.code).toBe("mime_type_not_allowed")
    const document = await send(`GET /api/docs/${json.results[0].documentId}`)
    expect([document.status, document.json.status]).toEqual([200, "pending"])
  })

  // Without a store the address leads nowhere.
  if (!hasStore) return
  it("stores a file at its address, and returns it", async () => {
    const { documentId, uploadUrl } = (await issue()).json.results[0]
    const put = () => fetch(uploadUrl.url, { method: "PUT", headers: uploadUrl.headers, body: "as built" })
    expect((await put()).status).toBe(201)
    expect((await put()).status).toBe(412)
    expect((await send(`GET /api/docs/${documentId}`)).json).toMatchObject({ status: "uploaded", sizeBytes: 8 })
    const { url } = (await send(`GET /api/docs/${documentId}/download-url`)).json
    expect(await (await fetch(url)).text()).toBe("as built")
    expect((await fetch(uploadUrl.path)).status).toBe(403)
  })
}

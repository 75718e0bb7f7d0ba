import { beforeAll, describe, expect, it } from "vitest"
import { useServer } from "./Serving.ts"
import { aNewSite, bindings, caller, type Send, uploadsOf } from "./Setup.ts"

const other = { ...aNewSite, siteName: "High Meadow" }

describe.each(Object.entries(bindings))("an Idempotency-Key through %s", (_, bind) => {
  const { binding, send, setup } = useServer(bind)
  let stranger: Send
  beforeAll(async () => {
    stranger = caller(binding(), (await setup().join("Moonfield")).key)
  })

  const newKey = () => crypto.randomUUID()
  const post = (path: string, key: string, body: unknown, by = send) =>
    by(`POST ${path}`, { headers: { "idempotency-key": key }, body })
  const siteIds = async (by = send) => {
    const { data } = (await by("GET /api/sites")).json
    return data.map(({ id }: { readonly id: string }) => id)
  }

  const eventsOf = async (subjectId: string): Promise<ReadonlyArray<string>> => {
    const { data } = (await send(`GET /api/events?subjectId=${subjectId}`)).json
    return data.map(({ type }: { readonly type: string }) => type)
  }

  it("creates one site for ten concurrent requests and all later ones", async () => {
    const before = await siteIds()
    const key = newKey()
    const answers = await Promise.all(Array.from({ length: 10 }, () => post("/api/sites", key, aNewSite)))
    const created = (await siteIds()).filter((id: string) => !before.includes(id))
    expect(created).toHaveLength(1)
    expect(
      answers.filter(({ headers, status }) => status === 201 && !headers.has("idempotency-replayed"))
    ).toHaveLength(1)
    for (const { headers, json, status } of answers) {
      if (status === 201) expect(json.id).toBe(created[0])
      else expect([status, json.code, headers.get("retry-after")]).toEqual([409, "idempotency_key_in_use", "1"])
    }
    expect((await post("/api/sites", key, aNewSite)).json.id).toBe(created[0])
    expect(await siteIds()).toHaveLength(before.length + 1)
  })

  it("returns the first response again, byte for byte, with its headers, after later changes", async () => {
    const site = await post("/api/sites", newKey(), aNewSite)
    const [portfolio] = (await post("/api/portfolios", newKey(), [{ name: "South" }])).json.data
    for (const [path, body] of [
      ["/api/sites", aNewSite],
      ["/api/portfolios", { portfolios: [{ name: "A" }, { name: "B" }] }],
      [`/api/portfolios/${portfolio.id}/sites`, { siteIds: [site.json.id] }]
    ] as const) {
      const key = newKey()
      const first = await post(path, key, body)
      expect(first.headers.has("idempotency-replayed")).toBe(false)
      await send(`PUT /api/sites/${site.json.id}`, { body: { siteName: newKey() } })
      const again = await post(path, key, body)
      expect(again.headers.get("idempotency-replayed")).toBe("true")
      expect([again.status, again.text]).toEqual([first.status, first.text])
      for (const name of ["content-type", "etag", "location", "cache-control"]) {
        expect([name, again.headers.get(name)]).toEqual([name, first.headers.get(name)])
      }
      expect(again.headers.get("x-request-id")).not.toBe(first.headers.get("x-request-id"))
    }
  })

  it("belongs to one request: another body or path is refused and changes nothing", async () => {
    const key = newKey()
    const first = await post("/api/sites", key, aNewSite)
    const [portfolio] = (await post("/api/portfolios", newKey(), [{ name: "South" }])).json.data
    const before = await siteIds()
    for (const [path, body] of [
      ["/api/sites", other],
      ["/api/sites", ` ${JSON.stringify(aNewSite)}`],
      ["/api/portfolios", [{ name: "A" }]],
      [`/api/portfolios/${portfolio.id}/sites`, { siteIds: [first.json.id] }]
    ] as const) {
      const { json, status } = await post(path, key, body)
      expect([status, json.code]).toEqual([409, "idempotency_key_reused"])
    }
    expect(await siteIds()).toEqual(before)
    expect((await post("/api/sites", key, aNewSite)).text).toBe(first.text)
  })

  it("is separate in every organisation", async () => {
    const key = newKey()
    const [own, theirs] = [await post("/api/sites", key, aNewSite), await post("/api/sites", key, other, stranger)]
    expect([own.status, theirs.status]).toEqual([201, 201])
    expect([own.json.siteName, theirs.json.siteName]).toEqual([aNewSite.siteName, other.siteName])
    expect((await post("/api/sites", key, other, stranger)).text).toBe(theirs.text)
    expect(await siteIds(stranger)).not.toContain(own.json.id)
  })

  it("is free again after a refusal", async () => {
    const key = newKey()
    const { json: site } = await post("/api/sites", newKey(), aNewSite)
    const nowhere = { ...aNewSite, portfolioId: site.id }
    for (const [body, code] of [
      ["{", "malformed_json"],
      [{}, "validation_failed"],
      [nowhere, "portfolio_not_found"],
      [nowhere, "portfolio_not_found"]
    ] as const) {
      expect((await post("/api/sites", key, body)).json.code).toBe(code)
    }
    const created = await post("/api/sites", key, other)
    expect([created.status, created.headers.has("idempotency-replayed")]).toEqual([201, false])
  })

  it.each([
    ["nothing", ""],
    ["a space", "a b"],
    ["a letter that is not ASCII", "caf\u00e9"],
    ["256 characters", "k".repeat(256)]
  ])("cannot be %s", async (_, key) => {
    const before = await siteIds()
    const { json, status } = await post("/api/sites", key, aNewSite)
    expect([status, json.code]).toEqual([400, "invalid_header"])
    expect(json.errors).toMatchObject([{ pointer: "/idempotency-key", code: "invalid_idempotency_key" }])
    const both = await post("/api/sites", key, { ...aNewSite, unit: "Mw" })
    expect(both.json.errors.map(({ pointer }: { readonly pointer: string }) => pointer)).toEqual([
      "/unit",
      "/idempotency-key"
    ])
    expect(await siteIds()).toEqual(before)
  })

  it("can be 255 of any visible characters", async () => {
    const visible = Array.from({ length: 94 }, (_, index) => String.fromCharCode(0x21 + index)).join("")
    const key = (visible + newKey()).padEnd(255, visible)
    const first = await post("/api/sites", key, aNewSite)
    expect((await post("/api/sites", key, aNewSite)).text).toBe(first.text)
  })

  it("has no effect on GET, PUT and DELETE", async () => {
    const { json: site } = await post("/api/sites", newKey(), aNewSite)
    for (const key of [newKey(), "a b"]) {
      const headers = { "idempotency-key": key }
      const path = `/api/sites/${site.id}`
      for (const siteName of [`One ${key}`, `Two ${key}`]) {
        const changed = await send(`PUT ${path}`, { headers, body: { siteName } })
        expect([changed.status, changed.json.siteName]).toEqual([200, siteName])
        const read = await send(`GET ${path}`, { headers })
        expect([read.json.siteName, read.headers.has("idempotency-replayed")]).toEqual([siteName, false])
      }
    }
    const headers = { "idempotency-key": newKey() }
    expect((await send(`DELETE /api/sites/${site.id}`, { headers })).status).toBe(204)
    expect((await send(`DELETE /api/sites/${site.id}`, { headers })).status).toBe(404)
  })

  it("returns new addresses for the same documents while they wait for their files", async () => {
    const { json: site } = await post("/api/sites", newKey(), aNewSite)
    const [key, body] = [newKey(), uploadsOf(site.id, "a.txt", "b.txt", "../c.txt")]
    const first = (await post("/api/docs/bulk-upload-url", key, body)).json
    const [sent, waiting, refused] = first.results
    expect(await setup().put(sent.uploadUrl, "hello")).toBeLessThan(300)
    await send(`PUT /api/docs/${sent.documentId}`, { body: { status: "uploaded" } })
    const again = await post("/api/docs/bulk-upload-url", key, body)
    expect([again.status, again.headers.get("idempotency-replayed")]).toEqual([200, "true"])
    const { results, summary } = again.json
    expect(summary).toEqual(first.summary)
    expect([results[0], results[2]]).toEqual([sent, refused])
    expect(results[1]).toEqual({ ...waiting, uploadUrl: { ...waiting.uploadUrl, ...results[1].uploadUrl } })
    expect(results[1].uploadUrl.expiresAt >= waiting.uploadUrl.expiresAt).toBe(true)
    expect(await setup().put(results[1].uploadUrl, "hello")).toBeLessThan(300)
    const { data } = (await send(`GET /api/docs?siteId=${site.id}`)).json
    expect(data).toHaveLength(2)

    const [reissue, path] = [newKey(), `/api/docs/${waiting.documentId}/upload-url`]
    expect((await send(`DELETE /api/docs/${waiting.documentId}`)).status).toBe(204)
    expect((await post("/api/docs/bulk-upload-url", key, body)).json.results[1]).toEqual(waiting)
    expect((await post(path, reissue, undefined)).json.code).toBe("document_not_found")
  })

  it("returns a new address when a reissue is repeated", async () => {
    const { json: site } = await post("/api/sites", newKey(), aNewSite)
    const issued = await post("/api/docs/bulk-upload-url", newKey(), uploadsOf(site.id, "a.txt"))
    const [key, path] = [newKey(), `/api/docs/${issued.json.results[0].documentId}/upload-url`]
    const first = await post(path, key, undefined)
    const again = await post(path, key, undefined)
    expect([again.status, again.headers.get("idempotency-replayed")]).toEqual([200, "true"])
    expect(again.json).toMatchObject({ documentId: first.json.documentId, filename: "a.txt", success: true })
    expect(await setup().put(again.json.uploadUrl, "hello")).toBeLessThan(300)
    const late = await post(path, key, undefined)
    expect([late.status, late.text]).toEqual([200, first.text])
    expect(await eventsOf(first.json.documentId)).toEqual(["document.requested", "document.reissued"])
  })

  it("writes no event when addresses are repeated, and revives no rejected document", async () => {
    const { json: site } = await post("/api/sites", newKey(), aNewSite)
    const [key, body] = [newKey(), uploadsOf(site.id, "a.txt", "b.txt")]
    const { results } = (await post("/api/docs/bulk-upload-url", key, body)).json
    const [rejected, waiting] = results
    await setup().put(rejected.uploadUrl, "hello")
    for (const change of [{ status: "uploaded" }, { status: "failed", reason: "Blurred" }]) {
      expect((await send(`PUT /api/docs/${rejected.documentId}`, { body: change })).status).toBe(200)
    }
    const again = (await post("/api/docs/bulk-upload-url", key, body)).json.results
    expect(again[0]).toEqual(rejected)
    expect(await setup().put(again[1].uploadUrl, "hello")).toBeLessThan(300)
    // The file has arrived: no address could take another one.
    expect((await post("/api/docs/bulk-upload-url", key, body)).json.results[1]).toEqual(waiting)
    expect(await eventsOf(waiting.documentId)).toEqual(["document.requested"])
    expect(await eventsOf(rejected.documentId)).toEqual(["document.requested", "document.uploaded", "document.failed"])
    expect((await send(`GET /api/docs/${rejected.documentId}`)).json.status).toBe("failed")
  })
})

import { OmRecordDirectory } from "@solar-sites/core"
import { Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import { useServer } from "./Serving.ts"
import { aNewSite, bindings, caller, uploadsOf } from "./Setup.ts"

const bulk = "POST /api/docs/bulk-upload-url"

describe.each(Object.entries(bindings))("cover images through %s", (_, bind) => {
  const { member, send, setup } = useServer(bind)

  const newSite = async (more: object = {}) => (await send("POST /api/sites", { body: { ...aNewSite, ...more } })).json
  const upload = async (siteId: string, text: string): Promise<string> => {
    const files = [{ filename: "cover.png", mimeType: "image/png" }]
    const { json } = await send(bulk, { body: { siteId, fileType: "coverImage", files } })
    const [{ documentId, uploadUrl }] = json.results
    expect(await setup().put(uploadUrl, text)).toBe(200)
    expect((await send(`PUT /api/docs/${documentId}`, { body: { status: "uploaded" } })).status).toBe(200)
    return documentId
  }
  const shown = async ({ coverImageUrl }: { coverImageUrl: string }) => (await setup().fetchFile(coverImageUrl)).text

  it("returns the uploaded image as cover of its site in every response, until it is detached", async () => {
    const portfolio = (await send("POST /api/portfolios", { body: [{ name: "North" }] })).json.data[0].id
    const { id } = await newSite({ portfolioId: portfolio, coverImageUrl: "https://example.com/old.png" })
    await upload(id, "first")
    await upload(id, "latest")
    const site = (await send(`GET /api/sites/${id}`)).json
    expect([site.version, await shown(site)]).toEqual([3, "latest"])
    expect((await send(`GET /api/sites?siteId=${id}`)).json.data).toEqual([site])
    expect((await send("GET /api/portfolios/with-sites")).json.data[0].sites).toEqual([site])
    const added = await send(`POST /api/portfolios/${portfolio}/sites`, { body: { siteId: id } })
    expect(added.json.data).toEqual([site])
    const sentBack = await send(`PUT /api/sites/${id}`, { body: site })
    expect([sentBack.headers.get("etag"), sentBack.json]).toEqual(['"3"', site])
    const detached = await send(`PUT /api/sites/${id}`, { body: { coverImageUrl: null } })
    expect(detached.json).toMatchObject({ coverImageUrl: null, version: 4 })
  })

  it("is removed with its document", async () => {
    const { id } = await newSite()
    const documentId = await upload(id, "mine")
    expect(await shown((await send(`GET /api/sites/${id}`)).json)).toBe("mine")
    await send(`DELETE /api/docs/${documentId}`)
    expect((await send(`GET /api/sites/${id}`)).json).toMatchObject({ coverImageUrl: null, version: 3 })
  })

  it("accepts images only, up to the maximum size", async () => {
    const { id } = await newSite()
    const files = [
      { filename: "a.webp", mimeType: "image/webp", fileSize: 20_971_520 },
      { filename: "a.jpeg", mimeType: "image/jpeg", fileSize: 20_971_521 },
      { filename: "a.gif", mimeType: "image/gif" },
      { filename: "a.svg", mimeType: "image/svg+xml" }
    ]
    const { json } = await send(bulk, { body: { siteId: id, fileType: "coverImage", files } })
    expect(json.results.map((result: { error?: { code: string } }) => result.error?.code)).toEqual([
      undefined,
      "file_too_large",
      "mime_type_not_allowed",
      "mime_type_not_allowed"
    ])
  })

  it("looks up O&M records of the host, after the site", async () => {
    const { id } = await newSite()
    const known = Layer.succeed(OmRecordDirectory, { exists: (_, __, record) => Effect.succeed(record === "OM-1") })
    const asking = await bind(Layer.merge(setup().ports, known))
    const ask = (siteId: string, omRecordId: string) =>
      caller(asking, member().key)(bulk, {
        body: { ...uploadsOf(siteId, "a.txt"), fileType: "om-documents", omRecordId }
      })
    expect((await ask(id, "OM-1")).json.summary.successful).toBe(1)
    const unknown = await ask(id, "OM-2")
    expect([unknown.status, unknown.json.code]).toEqual([404, "om_record_not_found"])
    expect((await ask("0197a3b0-7000-7000-8000-0000000000ff", "OM-2")).json.code).toBe("site_not_found")
    expect((await send(`GET /api/docs?siteId=${id}`)).json.data).toHaveLength(1)
    await asking.close()
  })
})

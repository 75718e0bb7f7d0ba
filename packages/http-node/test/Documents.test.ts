import { beforeAll, describe, expect, it } from "vitest"
import { useServer } from "./Serving.ts"
import { aNewSite, bindings, unknownId, uploadsOf } from "./Setup.ts"

const bulk = "POST /api/docs/bulk-upload-url"

describe.each(Object.entries(bindings))("documents through %s", (_, bind) => {
  const { send, setup } = useServer(bind)
  let siteId: string
  beforeAll(async () => {
    siteId = (await send("POST /api/sites", { body: aNewSite })).json.id
  })

  const issue = async (filename = "plan.txt") =>
    (await send(bulk, { body: uploadsOf(siteId, filename) })).json.results[0]
  const say = (id: string, body: object, headers = {}) => send(`PUT /api/docs/${id}`, { body, headers })
  const read = async (id: string) => (await send(`GET /api/docs/${id}`)).json
  const uploaded = async (): Promise<string> => {
    const { documentId, uploadUrl } = await issue()
    expect(await setup().put(uploadUrl, "solar")).toBe(200)
    expect((await say(documentId, { status: "uploaded" })).status).toBe(200)
    return documentId
  }

  it("issues an address for each accepted file, and the reason of each refused one", async () => {
    const body = {
      siteId,
      fileType: "om-documents",
      omRecordId: "OM-1",
      files: [
        { filename: "visit.pdf", mimeType: "Application/PDF; version=2", fileSize: 5, documentType: "om_ticket" },
        { filename: "setup().exe", mimeType: "application/x-msdownload" },
        { filename: "a/b.pdf", mimeType: "application/pdf" },
        { filename: "film.mov", mimeType: "", fileSize: 104_857_601 },
        { filename: "odd", mimeType: "what?" }
      ]
    }
    const { headers, json, status } = await send(bulk, { body })
    expect([status, json.summary]).toEqual([200, { total: 5, successful: 2, failed: 3 }])
    expect(headers.get("etag")).toBeNull()
    const [first, ...rest] = json.results
    const document = await read(first.documentId)
    expect(document).toEqual({
      id: first.documentId,
      organisationId: expect.any(String),
      siteId,
      type: "om-documents",
      documentType: "om_ticket",
      filename: "visit.pdf",
      path: `${document.organisationId}/${siteId}/${first.documentId}`,
      status: "pending",
      mimeType: "application/pdf",
      sizeBytes: 5,
      uploadedBy: null,
      omRecordId: "OM-1",
      failureReason: null,
      createdAt: expect.stringMatching(/\.\d{3}Z$/),
      updatedAt: document.createdAt,
      version: 1,
      note: null,
      validFrom: null,
      validUntil: null,
      replaces: null,
      replacedBy: null
    })
    const { path, token } = first.uploadUrl
    expect(first).toEqual({
      filename: "visit.pdf",
      success: true,
      documentId: document.id,
      uploadUrl: {
        path: expect.stringMatching(new RegExp(`^https://.*/${document.path}$`)),
        token,
        url: `${path}?${token}`,
        method: "PUT",
        headers: { "content-type": "application/pdf" },
        expiresAt: new Date(Date.parse(document.createdAt) + 60_000).toISOString()
      }
    })
    const refusal = (index: number, filename: string, code: string) => ({
      index,
      filename,
      success: false,
      error: { code, detail: expect.any(String) }
    })
    expect(rest).toEqual([
      refusal(1, "setup().exe", "mime_type_not_allowed"),
      refusal(2, "a/b.pdf", "invalid_filename"),
      refusal(3, "film.mov", "file_too_large"),
      expect.objectContaining({ filename: "odd", success: true })
    ])
    expect((await send("GET /api/docs?omRecordId=OM-1")).json.data).toHaveLength(2)
  })

  it("takes a document from its address to completion, and serves it under its filename", async () => {
    const { documentId, uploadUrl } = await issue("Plan ☀.txt")
    const download = () => send(`GET /api/docs/${documentId}/download-url`)
    const early = [await say(documentId, { status: "uploaded" }), await download()]
    expect(early.map(({ json, status }) => [status, json.code])).toEqual([
      [409, "upload_not_found"],
      [409, "upload_not_found"]
    ])
    expect(await setup().put(uploadUrl, "solar")).toBe(200)
    expect(await setup().put(uploadUrl, "again")).not.toBe(200)
    const changed = await say(documentId, { status: "uploaded" }, { "if-match": '"1"' })
    expect([changed.status, changed.headers.get("etag"), changed.json.sizeBytes]).toEqual([200, '"2"', 5])
    const { json: address } = await download()
    expect(Object.keys(address)).toEqual(["url", "expiresAt"])
    expect(address.expiresAt).toMatch(/\.\d{3}Z$/)
    const file = await setup().fetchFile(address.url)
    expect([file.status, file.text]).toEqual([200, "solar"])
    expect(file.headers["content-disposition"]).toMatch(/^attachment;.*Plan%20%E2%98%80\.txt/)
    for (const [status, version] of [
      ["uploaded", 2],
      ["approved", 3],
      ["approved", 3],
      ["completed", 4]
    ] as const) {
      expect((await say(documentId, { status })).json).toMatchObject({ status, version })
    }
    expect(await read(documentId)).toMatchObject({ status: "completed", version: 4 })
  })

  it.each([
    ["pending", "approved", "can become uploaded, not approved"],
    ["pending", "failed", "can become uploaded, not failed"],
    ["uploaded", "completed", "can become approved or failed, not completed"],
    ["uploaded", "pending", "can become approved or failed, not pending"],
    ["failed", "uploaded", "becomes pending when its upload address is issued again"],
    ["approved", "failed", "can become completed, not failed"],
    ["completed", "pending", "stays so"]
  ])("refuses the way from %s to %s and names those there are", async (from, to, detail) => {
    const documentId = from === "pending" ? (await issue()).documentId : await uploaded()
    if (from === "failed") await say(documentId, { status: "failed", reason: "unreadable" })
    for (const status of ["approved", "completed"]) {
      if (from === "completed" || from === status) await say(documentId, { status })
    }
    const before = await read(documentId)
    expect(before.status).toBe(from)
    const { json, status } = await say(documentId, { status: to })
    expect([status, json.code]).toEqual([409, "invalid_transition"])
    expect(json.detail).toContain(`is ${from} ${detail}`)
    expect(await read(documentId)).toEqual(before)
  })

  it("changes nothing for a body that was read before, or an empty one", async () => {
    const { documentId } = await issue()
    for (const id of [documentId, await uploaded()]) {
      const before = await read(id)
      for (const body of [before, {}, { ...before, reason: null }]) {
        const { json, status } = await say(id, body)
        expect([status, json]).toEqual([200, before])
      }
      const odd = { ...before, siteId: 1, path: "../..", mimeType: null, version: "x", uploadedBy: {} }
      expect((await say(id, odd)).json).toEqual(before)
    }
  })

  it("reissues an address for a rejected document and for one without a file", async () => {
    const id = await uploaded()
    const again = () => send(`POST /api/docs/${id}/upload-url`)
    const refused = await again()
    expect([refused.status, refused.json.code]).toEqual([409, "invalid_transition"])
    const rejected = await say(id, { status: "failed", reason: " blurred " })
    expect(rejected.json).toMatchObject({ status: "failed", failureReason: "blurred", version: 3 })
    expect((await send(`GET /api/docs/${id}/download-url`)).json.code).toBe("upload_not_found")
    const { json, status } = await again()
    expect([status, json]).toEqual([
      200,
      { filename: "plan.txt", success: true, documentId: id, uploadUrl: expect.objectContaining({ method: "PUT" }) }
    ])
    expect(await read(id)).toMatchObject({ status: "pending", failureReason: null, sizeBytes: null })
    const { json: pending } = await again()
    expect(await setup().put(pending.uploadUrl, "sharp now")).toBe(200)
    const arrived = await again()
    expect([arrived.json.code, (await read(id)).status]).toEqual(["invalid_transition", "uploaded"])
  })

  it("honours If-Match, and deletes in any state", async () => {
    const { documentId } = await issue()
    const stale = { "if-match": '"2"' }
    expect((await send(`GET /api/docs/${documentId.toUpperCase()}`)).headers.get("etag")).toBe('"1"')
    for (const answer of [
      await say(documentId, { status: "completed" }, stale),
      await send(`DELETE /api/docs/${documentId}`, { headers: stale })
    ]) {
      expect([answer.status, answer.json.code]).toEqual([412, "precondition_failed"])
    }
    expect((await say(documentId, {}, { "if-match": "1" })).json.code).toBe("invalid_header")
    for (const id of [documentId, await uploaded()]) {
      const gone = await send(`DELETE /api/docs/${id}`, { headers: { "if-match": `"1", "2"` } })
      expect([gone.status, gone.text]).toEqual([204, ""])
      expect((await send(`DELETE /api/docs/${id}`)).json.code).toBe("document_not_found")
    }
  })

  it("lists documents by their members, in pages", async () => {
    const { id } = (await send("POST /api/sites", { body: aNewSite })).json
    const file = { filename: "a.pdf", mimeType: "application/pdf" }
    const ids: ReadonlyArray<string> = (
      await send(bulk, {
        body: { siteId: id, fileType: "documents", files: [{ ...file, documentType: "ppa" }, file, file] }
      })
    ).json.results.map((result: { documentId: string }) => result.documentId)
    const found = async (query: string) => {
      const { json } = await send(`GET /api/docs?siteId=${id.toUpperCase()}${query}`)
      return { ids: json.data.map((document: { id: string }) => document.id), next: json.nextCursor }
    }
    expect(await found("")).toEqual({ ids, next: null })
    expect(await found("&documentType=ppa&status=pending&type=documents")).toEqual({ ids: ids.slice(0, 1), next: null })
    for (const none of ["&status=failed", "&type=report", "&type=coverImage", "&omRecordId=x", "&documentType=epc"]) {
      expect((await found(none)).ids).toEqual([])
    }
    const first = await found("&limit=2")
    expect(first.ids).toEqual(ids.slice(0, 2))
    expect(await found(`&limit=2&cursor=${first.next}`)).toEqual({ ids: ids.slice(2), next: null })
    expect((await send(`GET /api/docs?siteId=${unknownId}`)).json).toEqual({ data: [], nextCursor: null })
  })
})

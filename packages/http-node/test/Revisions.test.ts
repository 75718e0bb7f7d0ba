import { beforeEach, describe, expect, it } from "vitest"
import { useServer } from "./Serving.ts"
import { aNewSite, bindings, unknownId } from "./Setup.ts"

describe.each(Object.entries(bindings))("metadata and revisions through %s", (_, bind) => {
  const { send, setup } = useServer(bind)
  let siteId: string
  beforeEach(async () => {
    siteId = (await send("POST /api/sites", { body: aNewSite })).json.id
  })

  const file = { filename: "policy.txt", mimeType: "text/plain" }
  const issue = async (...files: ReadonlyArray<object>) =>
    send("POST /api/docs/bulk-upload-url", { body: { siteId, fileType: "documents", files } })
  const issueOne = async (members: object = {}) => (await issue({ ...file, ...members })).json.results[0]
  const change = (id: string, body: object, headers = {}) => send(`PUT /api/docs/${id}`, { body, headers })
  const read = async (id: string) => (await send(`GET /api/docs/${id}`)).json
  const uploaded = async (members: object = {}): Promise<string> => {
    const { documentId, uploadUrl } = await issueOne(members)
    expect(await setup().put(uploadUrl, "solar")).toBe(200)
    expect((await change(documentId, { status: "uploaded" })).status).toBe(200)
    return documentId
  }
  const revisions = async (id: string, query = "") => (await send(`GET /api/docs/${id}/revisions${query}`)).json
  const idsOf = ({ data }: { readonly data: ReadonlyArray<{ readonly id: string }> }) => data.map(({ id }) => id)

  it("takes metadata per file, and changes it in every status", async () => {
    const metadata = { note: "Line 1\r\nLine 2", validFrom: "2026-02-28", validUntil: "2026-02-28" }
    const id = await uploaded({ ...metadata, documentType: "insurance" })
    const stored = { ...metadata, note: "Line 1\nLine 2" }
    expect(await read(id)).toMatchObject({ ...stored, documentType: "insurance", version: 2 })
    const { path } = await read(id)
    const renamed = await change(id, { filename: "renamed.txt", note: null, status: "approved" })
    expect(renamed.json).toMatchObject({ filename: "renamed.txt", note: null, status: "approved", path, version: 3 })
    expect(renamed.headers.get("etag")).toBe('"3"')
    const completed = await change(id, { status: "completed", validUntil: null, documentType: null })
    expect(completed.json).toMatchObject({ status: "completed", validUntil: null, documentType: null, version: 4 })
    expect((await change(id, { note: "still" }, { "if-match": '"3"' })).json.code).toBe("precondition_failed")
    expect((await change(id, { note: "still" }, { "if-match": '"4"' })).json).toMatchObject({ version: 5 })
    expect((await change(id, await read(id))).json).toMatchObject({ version: 5 })
  })

  it("refuses a validity that ends before it begins, the stored day included", async () => {
    const faultOf = async (answer: ReturnType<typeof change>) => {
      const { json, status } = await answer
      return [status, json.code, json.errors.map((one: Record<string, string>) => `${one["pointer"]} ${one["code"]}`)]
    }
    const refused = (pointer: string) => [400, "validation_failed", [`${pointer} out_of_range`]]
    const id = await uploaded({ validFrom: "2026-01-01" })
    expect(await faultOf(change(id, { validUntil: "2025-12-31" }))).toEqual(refused("/validUntil"))
    await change(id, { validUntil: "2026-06-30" })
    expect(await faultOf(change(id, { validFrom: "2026-07-01" }))).toEqual(refused("/validFrom"))
    expect(await faultOf(change(id, { status: "approved", validFrom: "2026-07-01" }))).toEqual(refused("/validFrom"))
    const both = { validFrom: "2027-01-01", validUntil: "2026-12-31" }
    expect(await faultOf(change(unknownId, both))).toEqual(refused("/validUntil"))
    expect(await faultOf(issue(file, { ...file, ...both }))).toEqual(refused("/files/1/validUntil"))
    expect(await faultOf(change(id, { validFrom: "2026-02-30" }))).toEqual([
      400,
      "validation_failed",
      ["/validFrom invalid_date"]
    ])
    expect(await read(id)).toMatchObject({ status: "uploaded", validFrom: "2026-01-01", version: 3 })
    expect((await change(id, { validFrom: "2026-07-01", validUntil: null })).json).toMatchObject({ version: 4 })
  })

  it("refuses a filename by policy, before the document is looked up", async () => {
    const id = await uploaded()
    for (const filename of ["", "..", "a/b", "\u0000", "\ud800", "ä".repeat(128)]) {
      for (const one of [id, unknownId]) {
        const { json, status } = await change(one, { filename })
        const { detail } = json.errors[0]
        expect([status, json.code]).toEqual([400, "invalid_filename"])
        expect(json.errors).toEqual([{ pointer: "/filename", code: "invalid_filename", detail }])
      }
    }
    expect((await change(id, { filename: null })).json.code).toBe("validation_failed")
    expect(await read(id)).toMatchObject({ filename: "policy.txt", version: 2 })
  })

  it("replaces a document when the new file arrives, and lists the chain of each member", async () => {
    const first = await uploaded()
    const second = await uploaded({ replaces: first })
    const pending = await issueOne({ replaces: second })
    expect(await read(first)).toMatchObject({ replaces: null, replacedBy: second, version: 3 })
    expect(await read(second)).toMatchObject({ replaces: first, replacedBy: null, version: 2 })
    for (const id of [first, second]) {
      expect(idsOf(await revisions(id))).toEqual([second, first])
      expect((await revisions(id)).nextCursor).toBeNull()
    }
    expect(idsOf(await revisions(pending.documentId))).toEqual([pending.documentId, second, first])
    const page = await revisions(first, "?limit=1")
    expect(idsOf(page)).toEqual([second])
    expect(await revisions(first, `?limit=1&cursor=${page.nextCursor}`)).toMatchObject({
      data: [{ id: first }],
      nextCursor: null
    })
    const own = await revisions(pending.documentId, "?limit=1")
    expect((await send(`GET /api/docs/${first}/revisions?cursor=${own.nextCursor}`)).status).toBe(400)
    const listed = async (current: boolean) =>
      idsOf((await send(`GET /api/docs?siteId=${siteId}&current=${current}`)).json)
    expect(await listed(true)).toContain(second)
    expect(await listed(true)).not.toContain(first)
    expect(await listed(false)).toEqual([first, pending.documentId])
    expect((await change(second, { status: "failed", reason: "blurred" })).json).toMatchObject({ replaces: first })
    expect(await read(first)).toMatchObject({ replacedBy: null, version: 4 })
    expect(await read(pending.documentId)).toMatchObject({ replaces: first, version: 2 })
  })

  it("tells per file why a document cannot be replaced", async () => {
    const old = await uploaded()
    await uploaded({ replaces: old })
    const waiting = (await issueOne()).documentId
    const other = (await send("POST /api/sites", { body: aNewSite })).json.id
    const elsewhere = { siteId: other, fileType: "documents", files: [{ ...file, replaces: old }] }
    const codesOf = (json: { results: ReadonlyArray<{ error?: { code: string } }> }) =>
      json.results.map(({ error }) => error?.code)
    const named = [unknownId, old, waiting, null]
    const { json, status } = await issue(...named.map((replaces) => ({ ...file, replaces })))
    expect([status, codesOf(json)]).toEqual([
      200,
      ["replaces_not_found", "already_replaced", "replaces_not_uploaded", undefined]
    ])
    expect(codesOf((await send("POST /api/docs/bulk-upload-url", { body: elsewhere })).json)).toEqual([
      "replaces_not_found"
    ])
    const cover = { siteId, fileType: "coverImage", files: [{ ...file, mimeType: "image/png", replaces: old }] }
    expect(codesOf((await send("POST /api/docs/bulk-upload-url", { body: cover })).json)).toEqual([
      "replaces_not_found"
    ])
    expect((await issue({ ...file, replaces: "old" })).json.errors).toMatchObject([{ pointer: "/files/0/replaces" }])
  })

  it("fails the second of two replacements with 409, also when it is asked again", async () => {
    const old = await uploaded()
    const [first, second] = (await issue(...[1, 2].map(() => ({ ...file, replaces: old })))).json.results
    for (const { uploadUrl } of [first, second]) expect(await setup().put(uploadUrl, "solar")).toBe(200)
    const answers = await Promise.all(
      [first, second].map(({ documentId }) => change(documentId, { status: "uploaded" }))
    )
    expect(answers.map(({ json, status }) => json.code ?? status).sort()).toEqual([200, "already_replaced"])
    const lost = answers[0]?.status === 409 ? first : second
    const again = await change(lost.documentId, { status: "uploaded", note: "1" })
    expect([again.status, again.json.code]).toEqual([409, "already_replaced"])
    expect(await read(lost.documentId)).toMatchObject({
      status: "failed",
      failureReason: "already_replaced",
      note: null
    })
  })
})

import { beforeAll, describe, expect, it } from "vitest"
import { useServer } from "./Serving.ts"
import { aNewSite, bindings, unknownId, uploadsOf } from "./Setup.ts"

const bulk = "POST /api/docs/bulk-upload-url"
const file = { filename: "a.txt", mimeType: "text/plain" }
const filesOf = (count: number) => Array.from({ length: count }, () => file)

describe.each(Object.entries(bindings))("input about documents through %s", (_, bind) => {
  const { send, setup } = useServer(bind)
  let siteId: string
  let documentId: string
  beforeAll(async () => {
    siteId = (await send("POST /api/sites", { body: aNewSite })).json.id
    documentId = (await send(bulk, { body: uploadsOf(siteId, "first.txt") })).json.results[0].documentId
  })

  const faultsOf = async (line: string, body?: unknown) => {
    const { json, status } = await send(line, { body })
    expect([status, json.code]).toEqual([400, "validation_failed"])
    return json.errors.map(({ code, pointer }: { code: string; pointer: string }) => `${pointer} ${code}`).sort()
  }
  const documents = async () => (await send("GET /api/docs")).text

  it.each<[string, unknown, ReadonlyArray<string>]>([
    ["nothing", {}, ["/fileType required", "/files required", "/siteId required"]],
    ["an array", [], [" invalid_type"]],
    ["no files", { files: [] }, ["/files too_few"]],
    ["21 files", { files: filesOf(21) }, ["/files too_many"]],
    ["a fileType of host code", { fileType: "report" }, ["/fileType invalid_value"]],
    ["a made-up fileType", { fileType: "Documents" }, ["/fileType invalid_value"]],
    ["no record with om-documents", { fileType: "om-documents" }, ["/omRecordId required"]],
    ["null for the record", { fileType: "om-documents", omRecordId: null }, ["/omRecordId invalid_type"]],
    ["an empty record", { fileType: "om-documents", omRecordId: "" }, ["/omRecordId too_short"]],
    ["an unknown member", { path: "x" }, ["/path unknown_member"]],
    ["files that are none", { files: [1, null] }, ["/files/0 invalid_type", "/files/1 invalid_type"]],
    [
      "files with faults",
      {
        files: [
          file,
          { filename: 1, fileSize: 1.5, documentType: "ppt" },
          { ...file, fileSize: -1, documentId: "x" },
          { ...file, fileSize: "7" }
        ]
      },
      [
        "/files/1/documentType invalid_value",
        "/files/1/fileSize invalid_value",
        "/files/1/filename invalid_type",
        "/files/1/mimeType required",
        "/files/2/documentId unknown_member",
        "/files/2/fileSize out_of_range",
        "/files/3/fileSize invalid_type"
      ]
    ],
    [
      "faults everywhere",
      { siteId: "x", fileType: "report", files: [{ mimeType: null }], colour: 1 },
      [
        "/colour unknown_member",
        "/fileType invalid_value",
        "/files/0/filename required",
        "/files/0/mimeType invalid_type",
        "/siteId invalid_uuid"
      ]
    ]
  ])("refuses %s as a whole and creates nothing", async (name, body, faults) => {
    const before = await documents()
    const whole = name === "nothing" || Array.isArray(body) ? body : { ...uploadsOf(siteId, "a.txt"), ...Object(body) }
    expect(await faultsOf(bulk, whole)).toEqual(faults)
    expect(await documents()).toBe(before)
  })

  it.each([1, 20])("takes %i files", async (count) => {
    const { json, status } = await send(bulk, { body: { ...uploadsOf(siteId), files: filesOf(count) } })
    expect([status, json.summary]).toEqual([200, { total: count, successful: count, failed: 0 }])
    expect(new Set(json.results.map((result: { documentId: string }) => result.documentId)).size).toBe(count)
  })

  it("reads null for an optional member as absent, ids in any case, and ignores an unnecessary record", async () => {
    const body = {
      siteId: siteId.toUpperCase(),
      fileType: "documents",
      omRecordId: 17,
      files: [{ ...file, fileSize: null, documentType: null }, file, { ...file, fileSize: 0, documentType: "ppa" }]
    }
    const { json } = await send(bulk, { body })
    const stored = await Promise.all(
      json.results.map(async (it: { documentId: string }) => (await send(`GET /api/docs/${it.documentId}`)).json)
    )
    expect(stored).toMatchObject([
      { siteId, sizeBytes: null, documentType: null, omRecordId: null },
      { siteId, sizeBytes: null, documentType: null, omRecordId: null },
      { siteId, sizeBytes: 0, documentType: "ppa", omRecordId: null }
    ])
  })

  it.each([
    "plan.pdf",
    "..plan",
    "%2e%2e%2fplan",
    "a\"b';c.txt",
    "<script>alert(1)<script>.txt",
    "drop table site;--",
    " spaces ",
    "Zähler 図面 ☀️.txt",
    "e\u0301.txt",
    "\u202etxt.exe",
    "~",
    "CON",
    "x".repeat(255)
  ])("keeps the filename %j as it is", async (filename) => {
    const { json } = await send(bulk, { body: uploadsOf(siteId, filename) })
    const [result] = json.results
    expect([result.filename, result.success]).toEqual([filename, true])
    const stored = (await send(`GET /api/docs/${result.documentId}`)).json
    expect(stored.filename).toBe(filename)
    expect(stored.path).toMatch(/^[0-9a-f/-]+$/)
    expect(await setup().put(result.uploadUrl, "x")).toBe(200)
    await send(`PUT /api/docs/${result.documentId}`, { body: { status: "uploaded" } })
    expect(
      (await setup().fetchFile((await send(`GET /api/docs/${result.documentId}/download-url`)).json.url)).text
    ).toBe("x")
  })

  it.each([
    "",
    ".",
    "..",
    "a/b",
    "../../etc/passwd",
    "a\\b",
    "a\u0000b",
    "a\r\nb",
    "\u0085",
    "\ud800.txt",
    "é".repeat(128)
  ])("refuses the filename %j alone, with its place", async (filename) => {
    const before = JSON.parse(await documents()).data.length
    const { json, status } = await send(bulk, { body: uploadsOf(siteId, "good.txt", filename) })
    expect([status, json.summary]).toEqual([200, { total: 2, successful: 1, failed: 1 }])
    expect(json.results[1]).toEqual({
      index: 1,
      filename,
      success: false,
      error: { code: "invalid_filename", detail: expect.any(String) }
    })
    expect(JSON.parse(await documents()).data).toHaveLength(before + 1)
  })

  it.each([
    ["?colour=1", ["/colour unknown_parameter"]],
    ["?current=yes", ["/current invalid_value"]],
    [`/${unknownId}/revisions?limit=0&current=true`, ["/current unknown_parameter", "/limit out_of_range"]],
    ["?status=pending&status=failed", ["/status repeated_parameter"]],
    [
      "?siteId=x&type=image&documentType=x&status=done&omRecordId=&limit=0&cursor=x",
      [
        "/cursor invalid_cursor",
        "/documentType invalid_value",
        "/limit out_of_range",
        "/omRecordId too_short",
        "/siteId invalid_uuid",
        "/status invalid_value",
        "/type invalid_value"
      ]
    ],
    [`/${unknownId}?x=1`, ["/x unknown_parameter"]],
    [`/${unknownId}/download-url?expires=60`, ["/expires unknown_parameter"]]
  ])("refuses GET /api/docs%s", async (rest, faults) => {
    expect(await faultsOf(`GET /api/docs${rest}`)).toEqual(faults)
  })

  it.each<[unknown, ReadonlyArray<string>]>([
    [{ status: "done" }, ["/status invalid_value"]],
    [{ status: null }, ["/status invalid_value"]],
    [{ status: "failed", reason: "" }, ["/reason too_short"]],
    [
      { status: 1, reason: "\u0000", remark: 1 },
      ["/reason forbidden_character", "/remark unknown_member", "/status invalid_value"]
    ]
  ])("refuses a change to %j", async (body, faults) => {
    expect(await faultsOf(`PUT /api/docs/${documentId}`, body)).toEqual(faults)
  })

  it("reissues an address without a body, and with an empty one", async () => {
    const line = `POST /api/docs/${documentId}/upload-url`
    const type = { "content-type": "application/json" }
    const empty = { body: "", headers: { "content-type": "text/plain", "content-length": "0" } }
    for (const call of [{}, { headers: type }, { body: {} }, empty]) {
      expect((await send(line, call)).status).toBe(200)
    }
    expect(await faultsOf(line, { status: "pending", x: 1 })).toEqual(["/status unknown_member", "/x unknown_member"])
    expect(await faultsOf(line, [])).toEqual([" invalid_type"])
    expect((await send(line, { body: "{" })).json.code).toBe("malformed_json")
    const untyped = await send(line, { body: "{}", headers: { "content-type": "text/plain" } })
    expect([untyped.status, untyped.json.code]).toEqual([415, "unsupported_media_type"])
  })
})

import { describe, expect, it } from "vitest"
import { useServer } from "./Serving.ts"
import { aNewSite, unknownId, webBinding } from "./Setup.ts"

type Body = (text: string) => unknown

const site =
  (member: string): Body =>
  (text) => ({ ...aNewSite, [member]: text })
const manager =
  (member: string): Body =>
  (text) => ({ ...aNewSite, siteManager: { name: "Ada", [member]: text } })
const upload = { siteId: unknownId, fileType: "om-documents", omRecordId: "record-1" }
const file = { filename: "a.txt", mimeType: "text/plain" }
const change = `PUT /api/docs/${unknownId}`

/** Every text of a body that is stored, and how many characters it may have. */
const texts: ReadonlyArray<readonly [line: string, pointer: string, maximum: number, body: Body]> = [
  ["POST /api/sites", "/siteName", 200, site("siteName")],
  ["POST /api/sites", "/address", 500, site("address")],
  ["POST /api/sites", "/coverImageUrl", 2_048, site("coverImageUrl")],
  ["POST /api/sites", "/siteManager/name", 200, manager("name")],
  ["POST /api/sites", "/siteManager/email", 254, manager("email")],
  ["POST /api/sites", "/siteManager/phone", 50, manager("phone")],
  ["POST /api/sites", "/siteManager/company", 200, manager("company")],
  ["POST /api/sites", "/siteManager/userId", 200, manager("userId")],
  [`PUT /api/sites/${unknownId}`, "/siteName", 200, (text) => ({ siteName: text })],
  ["POST /api/portfolios", "/portfolios/0/name", 200, (text) => ({ portfolios: [{ name: text }] })],
  [`PUT /api/portfolios/${unknownId}`, "/name", 200, (text) => ({ name: text })],
  ["POST /api/docs/bulk-upload-url", "/omRecordId", 200, (text) => ({ ...upload, omRecordId: text, files: [file] })],
  [
    "POST /api/docs/bulk-upload-url",
    "/files/0/mimeType",
    255,
    (text) => ({ ...upload, files: [{ ...file, mimeType: text }] })
  ],
  [change, "/reason", 500, (text) => ({ status: "failed", reason: text })]
]

describe("every text that is stored", () => {
  const { send } = useServer(webBinding)

  const textOf = (pointer: string, length: number) => {
    if (pointer === "/coverImageUrl") return "https://example.com/".padEnd(length, "x")
    return pointer === "/siteManager/email" ? "ada@example.com".padEnd(length, "x") : "x".repeat(length)
  }

  it.each(texts)("has a bound: %s %s has at most %i characters", async (line, pointer, maximum, body) => {
    const fits = await send(line, { body: body(textOf(pointer, maximum)) })
    expect(fits.status, "the longest").not.toBe(400)
    for (const length of [maximum + 1, 900_000]) {
      const { json, status } = await send(line, { body: body(textOf(pointer, length)) })
      expect([status, json.code]).toEqual([400, "validation_failed"])
      expect(json.errors).toContainEqual({
        pointer,
        code: "too_long",
        detail: `must have at most ${maximum} characters`
      })
    }
  })

  it("has a bound in bytes where it names a file", async () => {
    const body = { siteId: unknownId, fileType: "documents", files: [{ ...file, filename: "x".repeat(256) }] }
    const siteId = (await send("POST /api/sites", { body: aNewSite })).json.id
    const { json } = await send("POST /api/docs/bulk-upload-url", { body: { ...body, siteId } })
    expect(json.results[0]).toMatchObject({ success: false, error: { code: "invalid_filename" } })
  })
})

import { gzipSync } from "node:zlib"
import { describe, expect, it } from "vitest"
import { useServer } from "./Serving.ts"
import { aNewSite, bindings, unknownId } from "./Setup.ts"

const nested = (depth: number) => `{"siteName":${"[".repeat(depth - 1)}${"]".repeat(depth - 1)}}`
const json = { "content-type": "application/json" }

describe.each(Object.entries(bindings))("bad input through %s", (_, bind) => {
  const { send } = useServer(bind)

  const faultsOf = async (line: string, body?: unknown) => {
    const { json, status } = await send(line, { body })
    expect([status, json.code]).toEqual([400, "validation_failed"])
    return json.errors.map(({ code, pointer }: { code: string; pointer: string }) => `${pointer} ${code}`).sort()
  }

  it("reports all faults of a body at once, each with its pointer", async () => {
    const body = `{"siteName": "\\u0000", "capacity": -1, "unit": "hp", "latitude": 91, "colour": 1, "a/b~c": 2,
      "portfolioId": "x", "siteManager": {"name": "Ada", "email": "x", "age": 3}, "coverImageUrl": "http://x"}`
    expect(await faultsOf("POST /api/sites", body)).toEqual([
      "/a~1b~0c unknown_member",
      "/capacity out_of_range",
      "/colour unknown_member",
      "/coverImageUrl invalid_url",
      "/latitude out_of_range",
      "/portfolioId invalid_uuid",
      "/siteManager/age unknown_member",
      "/siteManager/email invalid_email",
      "/siteManager/email too_short",
      "/siteName forbidden_character",
      "/unit invalid_value"
    ])
  })

  it("reports faults of body, query and headers together", async () => {
    const { json, status } = await send(`PUT /api/sites/${unknownId}?x=1`, {
      body: { unit: "hp" },
      headers: { "if-match": "3" }
    })
    expect([status, json.code]).toEqual([400, "validation_failed"])
    expect(json.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(["/x", "/unit", "/if-match"])
  })

  it.each([
    ['"siteName": "\\ud800"', "/siteName forbidden_character"],
    ['"siteName": "\\u202e"', "/siteName forbidden_character"],
    ['"siteName": "  "', "/siteName too_short"],
    ['"capacity": "NaN"', "/capacity invalid_type"],
    ['"capacity": "Infinity"', "/capacity invalid_type"],
    ['"capacity": 0', "/capacity out_of_range"],
    ['"capacity": null', "/capacity invalid_type"],
    ['"unit": "kwp"', "/unit invalid_value"],
    ['"__proto__": {"unit": "kW"}', "/__proto__ unknown_member"]
  ])("refuses a site with %s", async (member, fault) => {
    const body = `{"siteName": "a", "capacity": 1, "unit": "kW", ${member}}`
    expect(await faultsOf("POST /api/sites", body)).toContain(fault)
  })

  it("takes the last of two equal members, and ignores what only the service sets", async () => {
    const body = `{"siteName": "a", "siteName": "b", "capacity": 1, "unit": "kW", "version": 9, "id": "x", "sites": 1}`
    const { json, status } = await send("POST /api/sites", { body })
    expect([status, json.siteName, json.version]).toEqual([201, "b", 1])
  })

  it.each([
    ["GET /api/sites?colour=1", ["/colour unknown_parameter"]],
    ["GET /api/me?x=", ["/x unknown_parameter"]],
    ["GET /api/sites?limit=1&limit=2", ["/limit repeated_parameter"]],
    [
      "GET /api/sites?limit=0&cursor=madeup&siteId=x",
      ["/cursor invalid_cursor", "/limit out_of_range", "/siteId invalid_uuid"]
    ],
    ["GET /api/sites?limit=1001", ["/limit out_of_range"]],
    ["GET /api/sites?limit=05&cursor=madeup", ["/cursor invalid_cursor", "/limit invalid_type"]],
    ["GET /api/sites?limit=", ["/limit invalid_value"]],
    ["GET /api/sites?limit=1.5", ["/limit invalid_value"]],
    ["GET /api/portfolios?siteId=x", ["/siteId unknown_parameter"]],
    ["GET /api/portfolios/with-sites?limit=101", ["/limit out_of_range"]],
    ["GET /api/portfolios?cursor=AAAA", ["/cursor invalid_cursor"]],
    [`GET /api/sites/${unknownId}?x=1`, ["/x unknown_parameter"]],
    [`DELETE /api/portfolios/${unknownId}/sites?siteId=a&siteId=${unknownId}`, ["/siteId/0 invalid_uuid"]]
  ])("refuses %s", async (line, faults) => {
    expect(await faultsOf(line)).toEqual(faults)
  })

  it("refuses a cursor of another list", async () => {
    const body = { portfolios: [{ name: "a" }, { name: "b" }] }
    await send("POST /api/portfolios", { body })
    const { nextCursor } = (await send("GET /api/portfolios?limit=1")).json
    expect(await faultsOf(`GET /api/sites?limit=1&cursor=${nextCursor}`)).toEqual(["/cursor invalid_cursor"])
  })

  it.each([
    ["an empty bulk", [], [" too_few"]],
    ["101 portfolios", Array.from({ length: 101 }, () => ({ name: "a" })), [" too_many"]],
    [
      "bad names",
      { portfolios: [{ name: "a" }, { name: 1 }, {}] },
      ["/portfolios/1/name invalid_type", "/portfolios/2/name required"]
    ],
    ["neither form", "17", [" invalid_type"]]
  ])("refuses %s and creates nothing", async (_, body, faults) => {
    const before = (await send("GET /api/portfolios")).text
    expect(await faultsOf("POST /api/portfolios", body)).toEqual(faults)
    expect((await send("GET /api/portfolios")).text).toBe(before)
  })

  it.each([
    ["nothing", ""],
    ["half a document", '{"siteName": '],
    ["a comment", "{} // no"],
    ["NaN", '{"capacity": NaN}'],
    ["33 levels", nested(33)],
    ["many levels", "[".repeat(200_000)],
    ["a wrong byte", Uint8Array.of(0x22, 0xff, 0x22)],
    ["half a character", Uint8Array.of(0x22, 0xc3, 0x22)]
  ])("finds %s malformed", async (_, body) => {
    const answer = await send("POST /api/sites", { body, headers: json })
    expect([answer.status, answer.json.code]).toEqual([400, "malformed_json"])
  })

  it("reads 32 levels, and brackets in strings", async () => {
    for (const body of [nested(32), `{"siteName": "${"[".repeat(100)}\\"${"{".repeat(100)}"}`]) {
      expect((await send("POST /api/sites", { body })).json.code).toBe("validation_failed")
    }
  })

  it.each([
    ["text/plain", undefined, 415],
    ["application/json; charset=latin1", undefined, 415],
    ["application/problem+json", undefined, 415],
    ["application/json", "gzip", 415],
    ['Application/JSON; Charset="UTF-8"', undefined, 201],
    ["application/json;charset=utf-8", "identity", 201]
  ])("answers %s with coding %s with %i", async (type, coding, status) => {
    const headers = { "content-type": type, ...(coding === undefined ? {} : { "content-encoding": coding }) }
    const body = coding === "gzip" ? gzipSync(JSON.stringify(aNewSite)) : aNewSite
    expect((await send("POST /api/sites", { body, headers })).status).toBe(status)
  })

  it("needs a media type", async () => {
    expect((await send("POST /api/sites", { headers: {} })).status).toBe(415)
  })

  it("counts a body as it is read", async () => {
    const padded = (size: number) => JSON.stringify(aNewSite).padEnd(size)
    const chunked = (size: number) => new Blob([padded(size)]).stream()
    expect((await send("POST /api/sites", { body: padded(1_048_576) })).status).toBe(201)
    expect((await send("POST /api/sites", { body: chunked(1_048_576), headers: json })).status).toBe(201)
    for (const body of [padded(1_048_577), chunked(1_048_577), chunked(5_000_000)]) {
      const { json: problem, status } = await send("POST /api/sites", { body, headers: json })
      expect([status, problem.code]).toEqual([413, "body_too_large"])
    }
  })
})

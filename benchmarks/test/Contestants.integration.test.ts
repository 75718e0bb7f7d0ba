import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { type WorkRequest, works } from "../src/works/works.ts"
import { type Answer, type Field, startAll } from "./Field.ts"

declare module "vitest" {
  export interface ProvidedContext {
    postgresUrl: string
  }
}

const postgresUrl = inject("postgresUrl")
const unknown = "01a1f940-0000-7000-8000-000000000000"

describe.skipIf(postgresUrl === "")("all contestants", () => {
  let field: Field

  beforeAll(async () => {
    field = await startAll(postgresUrl)
  })
  afterAll(() => field?.stop())

  /** What each answers, one after the other. */
  const askAll = async (request: WorkRequest): Promise<ReadonlyMap<string, Answer>> => {
    const answers = new Map<string, Answer>()
    for (const running of field.running) answers.set(running.contestant.name, await field.ask(running, request))
    return answers
  }

  /** They all answer as the reference server does. */
  const agreed = async (request: WorkRequest): Promise<Answer> => {
    const answers = await askAll(request)
    const expected = answers.get("solar-sites")
    if (expected === undefined) throw new Error("the reference server is missing")
    for (const [name, answer] of answers) assert.deepStrictEqual(answer, expected, name)
    return expected
  }

  const statusAndCode = ({ body, headers, status }: Answer) =>
    `${status} ${headers["content-type"]} ${JSON.parse(body || "{}").code ?? ""}`

  const get = (path: string, key = field.fixture.reader.key): WorkRequest => ({
    method: "GET",
    path,
    headers: { "x-api-key": key }
  })
  const send = (method: "POST" | "PUT", path: string, body: unknown): WorkRequest => ({
    method,
    path,
    headers: { "x-api-key": field.fixture.writer.key, "content-type": "application/json" },
    body: typeof body === "string" ? body : JSON.stringify(body)
  })

  it.for(works)("answer the same bytes: $title", async ({ request, status }) => {
    for (const n of [0, 1]) assert.strictEqual((await agreed(request(field.fixture, n))).status, status)
  })

  it("go on where a page ended", async () => {
    const { body } = await agreed(get("/api/sites?limit=7"))
    await agreed(get(`/api/sites?limit=7&cursor=${JSON.parse(body).nextCursor}`))
  })

  it("bring texts to form, and ignore what only the service sets", async () => {
    const body = { siteName: "  Cafe\u0301 ", capacity: 0.1, unit: "MW", id: unknown, version: 9, address: null }
    assert.include((await agreed(send("POST", "/api/sites", body))).body, '"siteName":"Café"')
  })

  it("count a change that is one, and no other", async () => {
    const { reader, writer } = field.fixture
    const path = `/api/sites/${writer.siteIds[9]}`
    const etags: Array<string | null> = []
    for (const running of field.running) {
      const change = (latitude: number) => field.exact(running, send("PUT", path, { latitude, capacity: 2.5 }))
      const tags = [await change(1), await change(1), await change(2)].map(({ headers }) =>
        Number(headers.get("etag")?.slice(1, -1))
      )
      const [first = 0] = tags
      assert.deepStrictEqual(tags, [first, first, first + 1], running.contestant.name)
      etags.push((await field.exact(running, get(path, reader.key))).headers.get("etag"))
    }
    assert.deepStrictEqual(
      etags,
      etags.map(() => null),
      "the other organisation sees nothing of it"
    )
  })

  it("refuse alike", async () => {
    const { reader, writer } = field.fixture
    const [own = "", other = "", portfolio = ""] = [writer.siteIds[0], reader.siteIds[0], reader.portfolioIds[0]]
    const good = { siteName: "Good", capacity: 1, unit: "kW" }
    const file = { filename: "a.pdf", mimeType: "application/pdf" }
    const requests: ReadonlyArray<readonly [expected: string, WorkRequest]> = [
      ["404 application/problem+json site_not_found", get(`/api/sites/${writer.siteIds[0]}`)],
      ["404 application/problem+json site_not_found", get("/api/sites/none")],
      ["401 application/problem+json api_key_invalid", get("/api/sites", `${reader.key}x`)],
      ["401 application/problem+json api_key_invalid", get("/api/sites", "none")],
      ["400 application/problem+json validation_failed", get("/api/sites?limit=1001")],
      ["400 application/problem+json validation_failed", get("/api/sites?limit=0")],
      ["400 application/problem+json validation_failed", get("/api/sites?limit=5&cursor=none")],
      ["400 application/problem+json validation_failed", get("/api/sites?unknown=1")],
      ["400 application/problem+json validation_failed", get("/api/sites?portfolioId=none")],
      ["200 application/json ", get(`/api/sites?siteId=${own}&limit=5`)],
      ["400 application/problem+json malformed_json", send("POST", "/api/sites", "{")],
      ["400 application/problem+json validation_failed", send("POST", "/api/sites", { ...good, unknown: 1 })],
      ["400 application/problem+json validation_failed", send("POST", "/api/sites", { ...good, capacity: 0 })],
      ["400 application/problem+json validation_failed", send("POST", "/api/sites", { ...good, capacity: "1" })],
      ["400 application/problem+json validation_failed", send("POST", "/api/sites", { ...good, unit: "kg" })],
      ["400 application/problem+json validation_failed", send("POST", "/api/sites", { ...good, siteName: " " })],
      ["400 application/problem+json validation_failed", send("POST", "/api/sites", { ...good, siteName: "a\u0000" })],
      [
        "400 application/problem+json validation_failed",
        send("POST", "/api/sites", { ...good, siteName: "a".repeat(201) })
      ],
      ["400 application/problem+json validation_failed", send("POST", "/api/sites", { ...good, latitude: 91 })],
      [
        "400 application/problem+json validation_failed",
        send("POST", "/api/sites", { ...good, coverImageUrl: "http://a" })
      ],
      ["400 application/problem+json validation_failed", send("POST", "/api/sites", { ...good, siteManager: {} })],
      [
        "404 application/problem+json portfolio_not_found",
        send("POST", "/api/sites", { ...good, portfolioId: portfolio })
      ],
      [
        "404 application/problem+json portfolio_not_found",
        send("PUT", `/api/sites/${own}`, { portfolioId: portfolio })
      ],
      ["404 application/problem+json site_not_found", send("PUT", `/api/sites/${other}`, { latitude: 1 })],
      ["400 application/problem+json validation_failed", send("PUT", `/api/sites/${own}`, { capacity: null })],
      [
        "404 application/problem+json site_not_found",
        send("POST", "/api/docs/bulk-upload-url", { siteId: other, fileType: "documents", files: [file] })
      ],
      [
        "400 application/problem+json validation_failed",
        send("POST", "/api/docs/bulk-upload-url", { siteId: own, fileType: "documents", files: [] })
      ],
      [
        "400 application/problem+json validation_failed",
        send("POST", "/api/docs/bulk-upload-url", { siteId: own, fileType: "om-documents", files: [file] })
      ]
    ]
    for (const [expected, request] of requests) {
      const answers = new Map([...(await askAll(request))].map(([name, answer]) => [name, statusAndCode(answer)]))
      const asExpected = new Map([...answers.keys()].map((name) => [name, expected]))
      assert.deepStrictEqual(answers, asExpected, `${request.method} ${request.path} ${request.body ?? ""}`)
    }
  })

  it("judge each file of a request by itself", async () => {
    const files = [
      { filename: "a/b.pdf", mimeType: "application/pdf" },
      { filename: "page.html", mimeType: "text/html" },
      { filename: "big.bin", mimeType: "none", fileSize: 104_857_601 },
      { filename: "notes", mimeType: "Text/Plain; charset=utf-8" }
    ]
    const { writer } = field.fixture
    await agreed(send("POST", "/api/docs/bulk-upload-url", { siteId: writer.siteIds[0], fileType: "documents", files }))
  })
})

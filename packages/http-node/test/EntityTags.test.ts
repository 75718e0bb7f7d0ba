import { buffer } from "node:stream/consumers"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { count, filledSetup, send as sendTo } from "./CompressionSetup.ts"
import { document } from "./Documented.ts"
import { aNewSite, type Binding, caller, type Member, nodeBinding, type Send, type Setup, uploadsOf } from "./Setup.ts"

let setup: Setup
let binding: Binding
let member: Member
let send: Send
let ids: Readonly<Record<string, string>>
beforeAll(async () => {
  ;({ member, setup } = await filledSetup())
  binding = await nodeBinding(setup.ports, { rateLimitPerMinute: 0 })
  // The lists of a small organisation are not streamed.
  send = caller(binding, (await setup.join("Windfield")).key)
  const { json: portfolios } = await send("POST /api/portfolios", { body: [{ name: "South" }] })
  const { json: site } = await send("POST /api/sites", { body: { ...aNewSite, portfolioId: portfolios.data[0].id } })
  const { json: uploads } = await send("POST /api/docs/bulk-upload-url", { body: uploadsOf(site.id, "plan.txt") })
  // No test deletes a portfolio: deliveries under way would change the list of deliveries.
  const subscribed = { url: "https://a.example", events: ["portfolio.deleted"] }
  const { json: webhook } = await send("POST /api/webhooks", { body: subscribed })
  ids = { "/api/sites": site.id, "/api/docs": uploads.results[0].documentId, "/api/webhooks": webhook.id }
})
afterAll(async () => {
  await binding.close()
  await setup.close()
})

interface DocumentedRead {
  readonly operationId: string
  readonly parameters: ReadonlyArray<{ readonly name: string }>
  readonly responses: Readonly<Record<string, unknown>>
}

/** The reads behind a key that answer 304, with their paths. */
const conditional: ReadonlyArray<DocumentedRead & { readonly path: string }> = Object.entries<{
  readonly get?: DocumentedRead
}>(document.paths).flatMap(([path, { get }]) =>
  get !== undefined && path.startsWith("/api/") && "304" in get.responses ? [{ ...get, path }] : []
)

/** A request of the scene: one page of a list. */
const lineOf = ({ parameters, path }: (typeof conditional)[number]): string => {
  const [collection = ""] = path.split("/{")
  const limit = parameters.some(({ name }) => name === "limit") ? "?limit=20" : ""
  return `${path.replace("{id}", ids[collection] ?? "")}${limit}`
}

const withTag = (line: string, tag: string | null) => send(line, { headers: { "if-none-match": tag ?? "" } })

describe("If-None-Match", () => {
  it("is taken by lists that are not always streamed, and by resources whose members all belong to their version", () => {
    const lists = Object.entries<{ readonly get?: DocumentedRead }>(document.paths)
      .filter(([, { get }]) => get?.parameters.some(({ name }) => name === "limit"))
      .map(([path]) => path)
      .filter((path) => path !== "/api/portfolios/with-sites")
    const others = ["/api/coverage/summary", "/api/sites/{id}", "/api/docs/{id}"]
    expect(conditional.map(({ path }) => path).toSorted()).toEqual([...lists, ...others].toSorted())
    for (const { parameters } of conditional) expect(parameters.map(({ name }) => name)).toContain("if-none-match")
  })

  it.each(conditional.map((read) => [read.operationId, read] as const))(
    "answers 304 without a body to a client that has the result of %s, and else the whole",
    async (_, read) => {
      const line = `GET ${lineOf(read)}`
      const whole = await send(line)
      const tag = whole.headers.get("etag")
      expect([whole.status, tag]).toEqual([200, expect.stringMatching(/^(W\/"[\da-z]+-[\da-z]+"|"\d+")$/)])
      for (const known of [tag, `"other", ${tag}`, tag?.replace(/^W\//, "") ?? "", `W/"1x" , ${tag}`, "*"]) {
        const answer = await withTag(line, known)
        expect([known, answer.status, answer.text, answer.headers.get("etag")]).toEqual([known, 304, "", tag])
        expect(answer.headers.get("content-type")).toBeNull()
        expect(answer.headers.get("x-request-id")).not.toBeNull()
      }
      for (const other of ['"other"', "", "no tag", `${tag?.slice(0, -1)}`, `"${tag}"`]) {
        const answer = await withTag(line, other)
        expect([other, answer.status, answer.text]).toEqual([other, 200, whole.text])
      }
      expect((await withTag(line.replace("GET", "HEAD"), tag)).status).toBe(304)
    }
  )

  it("gives the whole again after a change of what is on the page", async () => {
    const { headers, json } = await send("GET /api/sites?limit=5")
    const [site] = json.data
    for (const line of ["GET /api/sites?limit=5", `GET /api/sites/${site.id}`]) {
      const tag = (await send(line)).headers.get("etag")
      await send(`PUT /api/sites/${site.id}`, { body: { address: `${line} Lane` } })
      expect((await withTag(line, tag)).status).toBe(200)
    }
    expect((await send("GET /api/sites?limit=5")).headers.get("etag")).not.toBe(headers.get("etag"))
  })

  it("names one page in each coding, and says 304 for each", async () => {
    const sent = { base: binding.base, key: member.key, line: "GET /api/sites?limit=50" }
    const plain = await sendTo({ ...sent, accepted: "identity" })
    await buffer(plain)
    const etag = plain.headers.etag ?? ""
    for (const accepted of ["br", "gzip"]) {
      const coded = await sendTo({ ...sent, accepted })
      await buffer(coded)
      expect([coded.headers["content-encoding"], coded.headers.etag]).toEqual([accepted, etag])
      const known = await sendTo({ ...sent, accepted, headers: { "if-none-match": etag } })
      expect((await buffer(known)).byteLength).toBe(0)
      expect([known.statusCode, known.headers.vary, known.headers["content-encoding"]]).toEqual([
        304,
        "Accept-Encoding",
        undefined
      ])
    }
  })

  it("is not computed for clients that accept no coding and have no tag", async () => {
    const sent = { base: binding.base, key: member.key, line: "GET /api/sites?limit=50" }
    const plain = await sendTo(sent)
    await buffer(plain)
    expect(plain.headers.etag).toBeUndefined()
    const asking = await sendTo({ ...sent, headers: { "if-none-match": '"none yet"' } })
    await buffer(asking)
    expect(asking.headers.etag).toMatch(/^W\//)
  })

  it("has a tag for each form of a list, and none for a list that is streamed", async () => {
    const line = "GET /api/portfolios?limit=20"
    const csv = await send(line, { headers: { accept: "text/csv" } })
    const tag = csv.headers.get("etag")
    expect(tag).not.toBe((await send(line)).headers.get("etag"))
    expect((await send(line, { headers: { accept: "text/csv", "if-none-match": tag ?? "" } })).status).toBe(304)
    expect((await withTag(line, tag)).status).toBe(200)
    const streamed = await caller(binding, member.key)("GET /api/sites", { headers: { "if-none-match": "*" } })
    expect([streamed.status, streamed.headers.get("etag"), streamed.json.data.length]).toEqual([200, null, count])
  })

  it("does not hold for a site with an uploaded cover, whose address changes without the version", async () => {
    const { json: site } = await send("POST /api/sites", { body: aNewSite })
    const files = { ...uploadsOf(site.id, "cover.png"), fileType: "coverImage" }
    files.files = [{ filename: "cover.png", mimeType: "image/png" }]
    const { json } = await send("POST /api/docs/bulk-upload-url", { body: files })
    const [{ documentId, uploadUrl }] = json.results
    await setup.put(uploadUrl, "image")
    await send(`PUT /api/docs/${documentId}`, { body: { status: "uploaded" } })
    const { headers } = await send(`GET /api/sites/${site.id}`)
    const answer = await withTag(`GET /api/sites/${site.id}`, headers.get("etag"))
    expect([answer.status, answer.json.coverImageUrl]).toEqual([200, expect.stringContaining(documentId)])
  })

  it("is left alone where members change without the version, and for writes", async () => {
    const { json: portfolios } = await send("GET /api/portfolios?limit=1")
    const portfolio = `/api/portfolios/${portfolios.data[0].id}`
    expect((await withTag(`GET ${portfolio}`, "*")).status).toBe(200)
    expect((await withTag("GET /api/me", "*")).status).toBe(200)
    const put = await send(`PUT ${portfolio}`, { body: { name: "North" }, headers: { "if-none-match": "*" } })
    expect(put.status).toBe(200)
  })

  it("keeps If-Match to the strong tag of a version", async () => {
    const line = `PUT /api/sites/${ids["/api/sites"]}`
    const tag = (await send(line, { body: {} })).headers.get("etag") ?? ""
    const put = (match: string) => send(line, { body: {}, headers: { "if-match": match } })
    expect([(await put(tag)).status, (await put(`W/${tag}`)).status]).toEqual([200, 412])
    expect((await put((await send("GET /api/sites?limit=1")).headers.get("etag") ?? "")).status).toBe(412)
  })
})

import { CurrentCaller, Sites } from "@solar-sites/core"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { useServer } from "./Serving.ts"
import { aNewSite, bindings, caller, type Send } from "./Setup.ts"

const csv = { headers: { accept: "text/csv" } }
const linesOf = (text: string): ReadonlyArray<string> => text.split("\r\n")

describe.each(Object.entries(bindings))("lists as CSV through %s", (_, bind) => {
  const { binding, member, send, setup } = useServer(bind)
  const joined = async (name: string) => caller(binding(), (await setup().join(name)).key)

  it("answers with a header row and one row per site", async () => {
    const [portfolio] = (await send("POST /api/portfolios", { body: [{ name: '=The "North"' }] })).json.data
    const siteManager = { name: "Ada, O&M", email: "ada@example.com", phone: "+44 1" }
    const body = { ...aNewSite, siteName: "-Long", address: "Two\nlines", latitude: -1.5, siteManager }
    const site = (await send("POST /api/sites", { body: { ...body, portfolioId: portfolio.id } })).json
    const other = (await send("POST /api/sites", { body: { ...aNewSite, address: "" } })).json
    const { headers, status, text } = await send("GET /api/sites", csv)
    expect([status, headers.get("content-type"), headers.get("content-disposition"), headers.get("link")]).toEqual([
      200,
      "text/csv; charset=utf-8",
      "attachment; filename=\"sites.csv\"; filename*=UTF-8''sites.csv",
      null
    ])
    const given =
      "id,organisationId,siteName,capacity,unit,address,latitude,longitude,portfolioId,siteManager.name,siteManager.email,siteManager.phone,siteManager.company,siteManager.userId,coverImageUrl,capacityKw,createdAt,updatedAt,version"
    const [header, first, second, ...rest] = linesOf(text)
    expect(header?.startsWith(given)).toBe(true)
    const { createdAt, id, organisationId, updatedAt } = site
    expect(
      first?.startsWith(
        `${id},${organisationId},'-Long,1.2,MW,"Two\nlines",-1.5,,${portfolio.id},"Ada, O&M",ada@example.com,'+44 1,,,,1200,${createdAt},${updatedAt},1`
      )
    ).toBe(true)
    expect(second?.startsWith(`${other.id},${organisationId},Long Meadow,1.2,MW,"",,,,,,,,,,1200,`)).toBe(true)
    expect(rest).toEqual([""])
    const portfolios = linesOf((await send("GET /api/portfolios", csv)).text)
    expect(portfolios).toHaveLength(3)
    expect(portfolios[0]).toMatch(/^id,organisationId,name,siteCount,capacityKw,createdAt,updatedAt,version/)
    expect(portfolios[1]?.startsWith(`${portfolio.id},${organisationId},"'=The ""North""",1,1200,`)).toBe(true)
  })

  it("has tags and attributes as JSON, and an apostrophe in front of texts that a spreadsheet would compute", async () => {
    const member = await joined("Guarded")
    const texts = ["=1", "+1", "-1", "@x", "'=1", "''@x", "'", "'a", "a=1"]
    for (const externalId of texts) {
      const attributes = externalId === "=1" ? { "a,b": '=say "so"', n: -1, none: null } : {}
      const tags = externalId === "=1" ? ["=1", 'x"y'] : []
      await member("POST /api/sites", { body: { ...aNewSite, externalId, tags, attributes } })
    }
    const [header = "", first, ...rest] = linesOf((await member("GET /api/sites", csv)).text)
    expect(header.split(",").slice(-3)).toEqual(["externalId", "tags", "attributes"])
    const json = [`["=1","x\\"y"]`, `{"a,b":"=say \\"so\\"","n":-1,"none":null}`]
    const cells = json.map((text) => `"${text.replaceAll('"', '""')}"`)
    expect(first?.endsWith(`,'=1,${cells.join(",")}`)).toBe(true)
    const others = rest.slice(0, -1).map((line) => line.split(",").slice(-3))
    expect(others).toEqual(
      ["'+1", "'-1", "'@x", "''=1", "'''@x", "'", "'a", "a=1"].map((externalId) => [externalId, "[]", "{}"])
    )
  })

  it("has the members of documents and events, nested ones by their path", async () => {
    const member = await joined("Documents")
    const { id } = (await member("POST /api/sites", { body: aNewSite })).json
    const files = [{ filename: "@a.pdf", mimeType: "application/pdf" }]
    await member("POST /api/docs/bulk-upload-url", { body: { siteId: id, fileType: "documents", files } })
    const documents = await member("GET /api/docs?status=pending", csv)
    expect(documents.headers.get("content-disposition")).toContain("documents.csv")
    const [header, row, ...rest] = linesOf(documents.text)
    const json = (await member("GET /api/docs")).json.data[0]
    expect(header).toBe(Object.keys(json).join(","))
    expect(row).toBe(
      Object.values({ ...json, filename: "'@a.pdf" })
        .map((value) => value ?? "")
        .join(",")
    )
    expect(rest).toEqual([""])

    const events = linesOf((await member("GET /api/events?type=site.*", csv)).text)
    expect(events[0]).toBe(
      "id,sequence,type,occurredAt,actor.userId,actor.apiKeyId,actor.keyPrefix,subject.type,subject.id,subject.name,siteId,changes,requestId"
    )
    expect(events[1]).toMatch(new RegExp(`,site,${id},Long Meadow,${id},"\\{""siteName"":\\{""from"":null,`))
  })

  it("has a row for each item of coverage, and one for a site without", async () => {
    const member = await joined("Coverage")
    const [portfolio] = (await member("POST /api/portfolios", { body: [{ name: "North" }] })).json.data
    const sites = []
    for (const portfolioId of [portfolio.id, null]) {
      sites.push((await member("POST /api/sites", { body: { ...aNewSite, portfolioId } })).json.id)
    }
    const requirements = ["ppa", "insurance"].map((documentType) => ({ documentType, portfolioId: portfolio.id }))
    await member("PUT /api/document-requirements", { body: { requirements } })
    expect(linesOf((await member("GET /api/coverage", csv)).text)).toEqual([
      "siteId,siteName,portfolioId,complete,items.documentType,items.state,items.documentId,items.validUntil",
      `${sites[0]},Long Meadow,${portfolio.id},false,ppa,missing,,`,
      `${sites[0]},Long Meadow,${portfolio.id},false,insurance,missing,,`,
      `${sites[1]},Long Meadow,,true,,,,`,
      ""
    ])
  })

  it("answers an empty list with the header row, and HEAD without a body", async () => {
    const empty = await joined("Empty")
    for (const [path, columns] of [
      ["/api/sites", "id,"],
      ["/api/docs", "id,"],
      ["/api/coverage", "siteId,"]
    ]) {
      const lines = linesOf((await empty(`GET ${path}`, csv)).text)
      expect([lines.length, lines[0]?.startsWith(columns ?? "?"), lines[1]]).toEqual([2, true, ""])
    }
    const { headers, text } = await empty("HEAD /api/sites", csv)
    expect([headers.get("content-type"), text]).toEqual(["text/csv; charset=utf-8", ""])
  })

  it("names the next page in Link", async () => {
    const paged = await joined("Paged")
    for (const siteName of ["A", "B", "C"]) await paged("POST /api/sites", { body: { ...aNewSite, siteName } })
    for (const conditions of ["limit=2", "limit=2&sort=siteName&order=desc&unit=MW"]) {
      const all = (await paged(`GET /api/sites?${conditions.replace("limit=2", "limit=9")}`)).json.data
      const seen: Array<string | undefined> = []
      let path: string | undefined = `/api/sites?${conditions}`
      while (path !== undefined) {
        const page = await paged(`GET ${path}`, csv)
        seen.push(
          ...linesOf(page.text)
            .slice(1, -1)
            .map((line) => line.split(",")[0])
        )
        path = page.headers.get("link")?.match(/^<(.*)>; rel="next"$/)?.[1]
        if (path !== undefined) expect(path.startsWith(`/api/sites?${conditions}&cursor=`)).toBe(true)
      }
      expect(seen).toEqual(all.map(({ id }: { id: string }) => id))
    }
    const feed = await paged("GET /api/events?limit=1000", csv)
    expect(feed.headers.get("link")).toContain("cursor=")
  })

  it("streams a long list and its filters", async () => {
    const owner = await setup().join("Long")
    const sites = Array.from({ length: 1_200 }, (_, index) => `Site ${index}`)
    await setup().run(
      Effect.flatMap(Sites, ({ create }) =>
        Effect.forEach(sites, (siteName) => create({ siteName, capacity: 1, unit: "kW" }))
      ).pipe(Effect.provideService(CurrentCaller, owner.caller))
    )
    const { headers, text } = await caller(binding(), owner.key)("GET /api/sites", csv)
    expect(headers.get("content-length")).toBeNull()
    expect(
      linesOf(text)
        .slice(1, -1)
        .map((line) => line.split(",")[2])
    ).toEqual(sites)
  })

  it("refuses other media types after the scope and before the query", async () => {
    const reader = caller(binding(), await setup().keyWith(member(), "portfolios:read"))
    const html = { headers: { accept: "text/html" } }
    const codes = async (send: Send, line: string, call = html) => {
      const { headers, json, status } = await send(line, call)
      return [status, json.code, headers.has("ratelimit")]
    }
    for (const path of ["sites", "portfolios", "docs", "events", "coverage"]) {
      expect(await codes(send, `GET /api/${path}?limit=x`)).toEqual([406, "not_acceptable", true])
    }
    expect(await codes(caller(binding(), null), "GET /api/sites")).toEqual([401, "api_key_missing", false])
    expect(await codes(reader, "GET /api/sites")).toEqual([403, "scope_missing", true])
    expect(await codes(reader, "GET /api/sites", csv)).toEqual([403, "scope_missing", true])
    expect(await codes(send, "GET /api/sites?limit=x", csv)).toEqual([400, "validation_failed", true])
  })

  it("leaves operations without CSV as they are", async () => {
    for (const accept of ["text/html", "text/csv", "*/*;q=0"]) {
      const { headers, status } = await send("GET /api/portfolios/with-sites", { headers: { accept } })
      expect([status, headers.get("content-type")]).toEqual([200, "application/json"])
    }
  })
})

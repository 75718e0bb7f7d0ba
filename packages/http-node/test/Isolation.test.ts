import { beforeAll, describe, expect, it } from "vitest"
import { exampleDocument, examplePortfolio, exampleSite } from "../src/contract/Examples.ts"
import { endpoints } from "./Documented.ts"
import { useServer } from "./Serving.ts"
import { aNewSite, bindings, caller, type Send, unknownId } from "./Setup.ts"

const SITE = "SITE"
const PORTFOLIO = "PORTFOLIO"
const files = [{ filename: "a.pdf", mimeType: "application/pdf" }]

// Each place outside of the path where a request can name a resource: first one of another organisation, then
// an unknown one.
const places: ReadonlyArray<[endpoint: string, line: string, body?: object]> = [
  ["sites.list", "GET /api/sites?siteId=SITE"],
  ["sites.list", "GET /api/sites?portfolioId=PORTFOLIO"],
  ["sites.create", "POST /api/sites", { ...aNewSite, portfolioId: PORTFOLIO }],
  ["sites.bulk", "POST /api/sites/bulk", { sites: [{ ...aNewSite, portfolioId: PORTFOLIO }] }],
  ["sites.update", "PUT /api/sites/OWN_SITE", { portfolioId: PORTFOLIO }],
  ["portfolios.addSites", "POST /api/portfolios/OWN_PORTFOLIO/sites", { siteIds: ["OWN_SITE", SITE] }],
  ["portfolios.addSites", "POST /api/portfolios/OWN_PORTFOLIO/sites", { siteId: SITE }],
  ["portfolios.removeSites", "DELETE /api/portfolios/PORTFOLIO/sites?siteId=SITE"],
  ["portfolios.removeSites", "DELETE /api/portfolios/OWN_PORTFOLIO/sites?siteId=SITE"],
  ["portfolios.removeSites", "DELETE /api/portfolios/OWN_PORTFOLIO/sites", { siteIds: [SITE] }],
  ["documents.issueUploads", "POST /api/docs/bulk-upload-url", { siteId: SITE, fileType: "documents", files }],
  [
    "documents.issueUploads",
    "POST /api/docs/bulk-upload-url",
    { siteId: SITE, fileType: "om-documents", omRecordId: "OM-1", files }
  ],
  [
    "documents.issueUploads",
    "POST /api/docs/bulk-upload-url",
    { siteId: "OWN_SITE", fileType: "om-documents", omRecordId: "OM-1", files: [{ ...files[0], replaces: "DOCUMENT" }] }
  ],
  ["documents.list", "GET /api/docs?siteId=SITE"],
  ["documents.changeStatus", "PUT /api/docs/DOCUMENT", { note: "1" }],
  ["coverage.list", "GET /api/coverage?siteId=SITE"],
  ["coverage.list", "GET /api/coverage?portfolioId=PORTFOLIO"],
  ["coverage.summary", "GET /api/coverage/summary?portfolioId=PORTFOLIO"],
  [
    "requirements.replace",
    "PUT /api/document-requirements",
    { requirements: [{ documentType: "ppa", portfolioId: PORTFOLIO }] }
  ],
  ["events.list", "GET /api/events?subjectId=SITE"],
  ["events.list", "GET /api/events?siteId=SITE"]
]

const kinds = ["SITE", "PORTFOLIO", "DOCUMENT", "WEBHOOK", "DELIVERY"] as const
type Kind = (typeof kinds)[number]
const kindOfGroup: Readonly<Record<string, Kind>> = {
  sites: "SITE",
  portfolios: "PORTFOLIO",
  documents: "DOCUMENT",
  webhooks: "WEBHOOK"
}

const inOwnScene = (example: unknown) =>
  example &&
  JSON.parse(
    JSON.stringify(example)
      .replaceAll(exampleSite.id, "OWN_SITE")
      .replaceAll(examplePortfolio.id, "OWN_PORTFOLIO")
      .replaceAll(exampleDocument.id, "OWN_DOCUMENT")
  )

/** Each place in a path, with the body of the example; the other place of the path has a resource of the caller. */
const inPaths = endpoints.flatMap(({ group, line, name, request }) => {
  const places = line.match(/:\w+/g) ?? []
  return places.map((foreign): readonly [string, string, object?] => {
    const kindOf = (place: string) => (place === ":id" ? kindOfGroup[group] : "DELIVERY")
    const named = line.replace(/:\w+/g, (place) => `${place === foreign ? "" : "OWN_"}${kindOf(place)}`)
    return [name, named, inOwnScene(request)]
  })
})

const unknownIds = Object.fromEntries(kinds.map((kind) => [kind, unknownId]))

// No event of these tests is sent to it, so that nothing changes by itself.
const aNewWebhook = { url: "https://example.com/events", events: ["requirements.updated"] }

describe.each(Object.entries(bindings))("isolation through %s", (_, bind) => {
  const { binding, setup } = useServer(bind, { rateLimitPerMinute: 0 })
  let mine: Send
  let theirs: Send
  let ids: Readonly<Record<Kind | `OWN_${Kind}`, string>>
  beforeAll(async () => {
    mine = caller(binding(), (await setup().join("Mine")).key)
    theirs = caller(binding(), (await setup().join("Theirs")).key)
    const make = async (send: Send) => {
      const portfolio = (await send("POST /api/portfolios", { body: [{ name: "P" }] })).json.data[0].id
      const site = await send("POST /api/sites", { body: { ...aNewSite, portfolioId: portfolio } })
      const requirements = [{ documentType: "ppa", portfolioId: portfolio }]
      expect((await send("PUT /api/document-requirements", { body: { requirements } })).status).toBe(200)
      const body = { siteId: site.json.id, fileType: "om-documents", omRecordId: "OM-1", files }
      const [{ documentId, uploadUrl }] = (await send("POST /api/docs/bulk-upload-url", { body })).json.results
      expect(await setup().put(uploadUrl, "bytes")).toBe(200)
      await send(`PUT /api/docs/${documentId}`, { body: { status: "uploaded" } })
      const webhook = (await send("POST /api/webhooks", { body: aNewWebhook })).json.id
      const delivery = (await send(`POST /api/webhooks/${webhook}/test`)).json.id
      return { site: site.json.id, portfolio, document: documentId, webhook, delivery }
    }
    const [own, foreign] = [await make(mine), await make(theirs)]
    ids = {
      OWN_SITE: own.site,
      OWN_PORTFOLIO: own.portfolio,
      OWN_DOCUMENT: own.document,
      OWN_WEBHOOK: own.webhook,
      OWN_DELIVERY: own.delivery,
      SITE: foreign.site,
      PORTFOLIO: foreign.portfolio,
      DOCUMENT: foreign.document,
      WEBHOOK: foreign.webhook,
      DELIVERY: foreign.delivery
    }
  })

  const everything = async () => {
    const lists = [
      "sites",
      "portfolios/with-sites",
      "portfolios",
      "docs",
      "document-requirements",
      "events",
      "webhooks"
    ]
    return Promise.all(
      [mine, theirs].flatMap((send) => lists.map(async (path) => (await send(`GET /api/${path}`)).text))
    )
  }
  const fill = (text: string, values: Readonly<Record<string, string>>) =>
    text.replace(/\b(?:OWN_)?(?:SITE|PORTFOLIO|DOCUMENT|WEBHOOK|DELIVERY)\b/g, (name) => values[name] ?? name)

  const named = [...inPaths, ...places].map(([endpoint, line, body]) => ({ endpoint, line, body }))
  it.each(named)(
    "$endpoint: $line has the same response for an id of another organisation and an unknown id",
    async ({ body, line }) => {
      const before = await everything()
      const ask = (values: Readonly<Record<string, string>>) =>
        mine(fill(line, values), {
          body: body && JSON.parse(fill(JSON.stringify(body), values)),
          headers: { "x-request-id": "one-and-the-same" }
        })
      const foreign = await ask(ids)
      const unknown = await ask({ ...ids, ...unknownIds })
      expect([foreign.status, foreign.text]).toEqual([unknown.status, unknown.text])
      if (line.includes("/summary?")) expect(foreign.json.siteCount).toBe(0)
      else if (/^GET \S+\?/.test(line)) expect(foreign.json.data).toEqual([])
      else if (foreign.status === 200) expect(foreign.json.summary).toEqual({ total: 1, successful: 0, failed: 1 })
      else expect(foreign.status).toBe(404)
      expect(await everything()).toEqual(before)
    }
  )

  it("covers every endpoint that takes ids in its query or body", () => {
    const covered = new Set(places.map(([endpoint]) => endpoint))
    expect(endpoints.filter(({ name, takesIds }) => takesIds && !covered.has(name))).toEqual([])
    expect(inPaths.length).toBeGreaterThan(15)
  })

  it("shows each organisation only its own resources", async () => {
    const shown = {
      "GET /api/sites": "SITE",
      "GET /api/portfolios": "PORTFOLIO",
      "GET /api/portfolios/with-sites": "SITE",
      "GET /api/me": null,
      "GET /api/docs": "DOCUMENT",
      "GET /api/docs?omRecordId=OM-1": "DOCUMENT",
      "GET /api/document-requirements": "PORTFOLIO",
      "GET /api/coverage": "SITE",
      "GET /api/events": "SITE",
      "GET /api/webhooks": "WEBHOOK"
    } as const
    for (const [line, kind] of Object.entries(shown)) {
      const [own, foreign] = [await mine(line), await theirs(line)]
      if (kind !== null) {
        expect(own.text, line).toContain(ids[`OWN_${kind}`])
        expect(foreign.text, line).toContain(ids[kind])
      }
      for (const other of kinds) {
        expect(own.text, line).not.toContain(ids[other])
        expect(foreign.text, line).not.toContain(ids[`OWN_${other}`])
      }
    }
    // A member that only the service sets carries nothing over.
    const organisationId = (await theirs("GET /api/me")).json.organisation.id
    const { json } = await mine("POST /api/sites", { body: { ...aNewSite, organisationId } })
    expect(json.organisationId).not.toBe(organisationId)
    const own = `/api/docs/${ids.OWN_DOCUMENT}`
    const before = (await mine(`GET ${own}`)).json
    const moved = await mine(`PUT ${own}`, { body: { ...before, organisationId, siteId: ids.SITE, path: "x" } })
    expect([moved.status, moved.json]).toEqual([200, before])
  })
})

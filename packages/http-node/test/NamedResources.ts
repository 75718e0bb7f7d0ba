/**
 * Requests that name resources: `SITE` is a resource that the caller must not reach, `OWN_SITE` one that it does.
 */
import { expect } from "vitest"
import { exampleDocument, examplePortfolio, exampleSite } from "../src/contract/Examples.ts"
import { endpoints } from "./Documented.ts"
import { aNewSite, type Send, type Setup, unknownId } from "./Setup.ts"

const SITE = "SITE"
const PORTFOLIO = "PORTFOLIO"
const files = [{ filename: "a.pdf", mimeType: "application/pdf" }]

/** Each place outside of the path where a request can name a resource. */
export const places: ReadonlyArray<[endpoint: string, line: string, body?: object]> = [
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

export const kinds = ["SITE", "PORTFOLIO", "DOCUMENT", "WEBHOOK", "DELIVERY"] as const
export type Kind = (typeof kinds)[number]
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
export const inPaths = endpoints.flatMap(({ group, line, name, request }) => {
  const places = line.match(/:\w+/g) ?? []
  return places.map((foreign): readonly [string, string, object?] => {
    const kindOf = (place: string) => (place === ":id" ? kindOfGroup[group] : "DELIVERY")
    const named = line.replace(/:\w+/g, (place) => `${place === foreign ? "" : "OWN_"}${kindOf(place)}`)
    return [name, named, inOwnScene(request)]
  })
})

/** All requests. */
export const requests = [...inPaths, ...places].map(([endpoint, line, body]) => ({ endpoint, line, body }))

type Ids = Readonly<Record<Kind, string>>

export const unknownIds: Ids = {
  SITE: unknownId,
  PORTFOLIO: unknownId,
  DOCUMENT: unknownId,
  WEBHOOK: unknownId,
  DELIVERY: unknownId
}

export const ownIds = (ids: Ids): Readonly<Record<`OWN_${Kind}`, string>> => ({
  OWN_SITE: ids.SITE,
  OWN_PORTFOLIO: ids.PORTFOLIO,
  OWN_DOCUMENT: ids.DOCUMENT,
  OWN_WEBHOOK: ids.WEBHOOK,
  OWN_DELIVERY: ids.DELIVERY
})

/** The text with ids in place of names. */
const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\b(?:OWN_)?(?:SITE|PORTFOLIO|DOCUMENT|WEBHOOK|DELIVERY)\b/g, (name) => values[name] ?? name)

/** Sends a request about the resources with these ids. */
export const ask = (
  send: Send,
  { body, line }: { readonly line: string; readonly body: object | undefined },
  values: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {}
) =>
  send(fill(line, values), {
    body: body && JSON.parse(fill(JSON.stringify(body), values)),
    headers: { "x-request-id": "one-and-the-same", ...headers }
  })

// No event of these tests is sent to it, so that nothing changes by itself.
const aNewWebhook = { url: "https://example.com/events", events: ["requirements.updated"] }

/** Makes a portfolio with a site, a document of the site, and a webhook with a delivery. */
export const makeResources = async (setup: Setup, send: Send): Promise<Ids> => {
  const portfolio = (await send("POST /api/portfolios", { body: [{ name: "P" }] })).json.data[0].id
  const site = await send("POST /api/sites", { body: { ...aNewSite, portfolioId: portfolio } })
  const requirements = [{ documentType: "ppa", portfolioId: portfolio }]
  expect((await send("PUT /api/document-requirements", { body: { requirements } })).status).toBe(200)
  const body = { siteId: site.json.id, fileType: "om-documents", omRecordId: "OM-1", files }
  const [{ documentId, uploadUrl }] = (await send("POST /api/docs/bulk-upload-url", { body })).json.results
  expect(await setup.put(uploadUrl, "bytes")).toBe(200)
  await send(`PUT /api/docs/${documentId}`, { body: { status: "uploaded" } })
  const webhook = (await send("POST /api/webhooks", { body: aNewWebhook })).json.id
  const delivery = (await send(`POST /api/webhooks/${webhook}/test`)).json.id
  return { SITE: site.json.id, PORTFOLIO: portfolio, DOCUMENT: documentId, WEBHOOK: webhook, DELIVERY: delivery }
}

const lists = ["sites", "portfolios/with-sites", "portfolios", "docs", "document-requirements", "events", "webhooks"]

/** All that organisations have. */
export const everything = (...senders: ReadonlyArray<Send>): Promise<ReadonlyArray<string>> =>
  Promise.all(senders.flatMap((send) => lists.map(async (path) => (await send(`GET /api/${path}`)).text)))

/**
 * Requests and the response of every contestant, as `status code`.
 */
import type { Fixture } from "../services/database/fixture.ts"
import type { WorkloadRequest } from "../workloads.ts"

const unknownId = "01a1f940-0000-7000-8000-000000000000"

export const get = (path: string, key: string): WorkloadRequest => ({
  method: "GET",
  path,
  headers: { "x-api-key": key }
})

export const sendJson = (method: "POST" | "PUT", path: string, key: string, body: unknown): WorkloadRequest => ({
  method,
  path,
  headers: { "x-api-key": key, "content-type": "application/json" },
  body: typeof body === "string" ? body : JSON.stringify(body)
})

type Case = readonly [expected: string, request: WorkloadRequest]

const invalid = "400 validation_failed"

const inQuery = ({ reader, writer }: Fixture): ReadonlyArray<Case> => [
  ["404 site_not_found", get(`/api/sites/${writer.siteIds[0]}`, reader.key)],
  ["404 site_not_found", get("/api/sites/none", reader.key)],
  ["401 api_key_invalid", get("/api/sites", `${reader.key}x`)],
  ["401 api_key_invalid", get("/api/sites", "none")],
  [invalid, get("/api/sites?limit=1001", reader.key)],
  [invalid, get("/api/sites?limit=0", reader.key)],
  [invalid, get("/api/sites?limit=5&cursor=none", reader.key)],
  [invalid, get("/api/sites?unknown=1", reader.key)],
  [invalid, get("/api/sites?portfolioId=none", reader.key)],
  ["200 ", get(`/api/sites?siteId=${writer.siteIds[0]}&limit=5`, reader.key)]
]

const inSites = ({ reader, writer }: Fixture): ReadonlyArray<Case> => {
  const [own = "", other = "", portfolioId = ""] = [writer.siteIds[0], reader.siteIds[0], reader.portfolioIds[0]]
  const create = (changes: object) =>
    sendJson("POST", "/api/sites", writer.key, { siteName: "Good", capacity: 1, unit: "kW", ...changes })
  const update = (id: string, changes: object) => sendJson("PUT", `/api/sites/${id}`, writer.key, changes)
  return [
    ["400 malformed_json", sendJson("POST", "/api/sites", writer.key, "{")],
    [invalid, create({ unknown: 1 })],
    [invalid, create({ capacity: 0 })],
    [invalid, create({ capacity: "1" })],
    [invalid, create({ unit: "kg" })],
    [invalid, create({ siteName: " " })],
    [invalid, create({ siteName: "a\u0000" })],
    [invalid, create({ siteName: "a".repeat(201) })],
    [invalid, create({ latitude: 91 })],
    [invalid, create({ coverImageUrl: "http://a" })],
    [invalid, create({ siteManager: {} })],
    ["404 portfolio_not_found", create({ portfolioId })],
    ["404 portfolio_not_found", update(own, { portfolioId })],
    ["404 site_not_found", update(other, { latitude: 1 })],
    ["404 site_not_found", update(unknownId, { latitude: 1 })],
    [invalid, update(own, { capacity: null })]
  ]
}

const inUploads = ({ reader, writer }: Fixture): ReadonlyArray<Case> => {
  const file = { filename: "a.pdf", mimeType: "application/pdf" }
  const issue = (siteId: string | undefined, fileType: string, files: ReadonlyArray<object>) =>
    sendJson("POST", "/api/docs/bulk-upload-url", writer.key, { siteId, fileType, files })
  return [
    ["404 site_not_found", issue(reader.siteIds[0], "documents", [file])],
    [invalid, issue(writer.siteIds[0], "documents", [])],
    [invalid, issue(writer.siteIds[0], "om-documents", [file])]
  ]
}

/** All refusals, and an empty page. */
export const refusals = (fixture: Fixture): ReadonlyArray<Case> => [
  ...inQuery(fixture),
  ...inSites(fixture),
  ...inUploads(fixture)
]

/**
 * Hand-written server on node:http: the fastest that keeps the rules.
 */
import { createServer, type IncomingMessage } from "node:http"
import { v7 } from "uuid"
import { type Origin, originOf } from "../common/events.ts"
import { etagOf, locationOf, requestIdOf } from "../common/headers.ts"
import { authenticator, type Caller } from "../common/keys.ts"
import { pageOf } from "../common/pages.ts"
import { Problem, type ProblemCode, toProblem } from "../common/problems.ts"
import { isUuid } from "../common/readers.ts"
import { announce, closeOnSignal, host } from "../common/settings.ts"
import { issueUploads } from "../common/uploads.ts"
import { readQuery, readSelection, readStep, readUploads } from "../common/validation.ts"
import { type Answer, readJson, send, sendProblem } from "./http.ts"
import { sign } from "./signing.ts"
import { readChanges, readNewSite } from "./site.ts"
import type { LimitStore } from "./store.ts"

const idIn = (path: string, before: string, unknown: ProblemCode, after = ""): string => {
  const id = path.slice(before.length, path.length - after.length)
  if (!isUuid(id)) throw new Problem(unknown)
  return id.toLowerCase()
}

/** A record of a path, with its version. */
const tagged = (record: { readonly version: number }): Answer => ({
  status: 200,
  body: record,
  headers: { etag: etagOf(record) }
})

const read = async (store: LimitStore, caller: Caller, path: string, query: string) => {
  const { organisationId } = caller
  if (path === "/api/sites") {
    const asked = readQuery(new URLSearchParams(query))
    return { status: 200, body: pageOf(await store.listSites(organisationId, asked), asked.limit) }
  }
  if (path.startsWith("/api/sites/")) {
    const site = await store.findSite(organisationId, idIn(path, "/api/sites/", "site_not_found"))
    if (site === undefined) throw new Problem("site_not_found")
    return tagged(site)
  }
  if (path === "/api/me") return { status: 200, body: await store.me(caller) }
  if (path === "/api/portfolios/with-sites") {
    return { status: 200, body: { data: await store.listWithSites(organisationId), nextCursor: null } }
  }
  throw new Problem("route_not_found")
}

const write = async (store: LimitStore, origin: Origin, method: string | undefined, path: string, body: unknown) => {
  if (path === "/api/sites" && method === "POST") {
    const site = await store.insertSite(origin, { ...readNewSite(body), id: v7() })
    return { status: 201, body: site, headers: { etag: etagOf(site), location: locationOf(site) } }
  }
  if (path.startsWith("/api/sites/") && method === "PUT") {
    return tagged(await store.updateSite(origin, idIn(path, "/api/sites/", "site_not_found"), readChanges(body)))
  }
  if (path === "/api/docs/bulk-upload-url" && method === "POST") {
    return { status: 200, body: await issueUploads(store, sign, origin, readUploads(body)) }
  }
  if (path.startsWith("/api/docs/") && method === "PUT") {
    return tagged(await store.setStatus(origin, idIn(path, "/api/docs/", "document_not_found"), readStep(body)))
  }
  if (path.startsWith("/api/portfolios/") && path.endsWith("/sites") && method === "POST") {
    const id = idIn(path, "/api/portfolios/", "portfolio_not_found", "/sites")
    return { status: 200, body: { data: await store.moveSites(origin, id, readSelection(body)) } }
  }
  throw new Problem("route_not_found")
}

export const serve = (store: LimitStore): void => {
  const authenticate = authenticator(store.findKey)

  const answer = async (request: IncomingMessage, requestId: string): Promise<Answer> => {
    const { headers, method, url = "/" } = request
    const end = url.indexOf("?")
    const path = end < 0 ? url : url.slice(0, end)
    if (path === "/health/live") return { status: 200, body: { status: "up", checks: {} } }
    const caller = await authenticate(headers["x-api-key"])
    if (method === "GET") return read(store, caller, path, end < 0 ? "" : url.slice(end + 1))
    return write(store, originOf(caller, requestId), method, path, await readJson(request))
  }

  const server = createServer((request, response) => {
    const requestId = requestIdOf(request.headers["x-request-id"])
    answer(request, requestId).then(
      (ready) => send(response, requestId, ready),
      (error) => sendProblem(response, requestId, toProblem(error))
    )
  })
  server.listen(0, host, () => {
    const address = server.address()
    announce(typeof address === "object" && address !== null ? address.port : 0)
  })
  closeOnSignal(async () => {
    server.close()
    server.closeAllConnections()
    await store.close()
  })
}

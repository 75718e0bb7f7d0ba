/**
 * Hand-written server on node:http over either store: the fastest that keeps the rules.
 */
import { createServer, type IncomingMessage } from "node:http"
import { v7 } from "uuid"
import { etagOf, locationOf, requestIdOf } from "../common/headers.ts"
import { authenticator, type Caller } from "../common/keys.ts"
import { pageOf } from "../common/pages.ts"
import { Problem, toProblem } from "../common/problems.ts"
import { announce, closeOnSignal, host } from "../common/settings.ts"
import { issueUploads } from "../common/uploads.ts"
import { type Answer, readJson, send, sendProblem } from "./http.ts"
import { isUuid } from "./readers.ts"
import { sign } from "./signing.ts"
import { readChanges, readNewSite, type Store } from "./site.ts"
import { readQuery, readUploads } from "./validation.ts"

const siteId = (path: string): string => {
  const id = path.slice("/api/sites/".length)
  if (!isUuid(id)) throw new Problem("site_not_found")
  return id.toLowerCase()
}

const sites = (store: Store, caller: Caller) => ({
  list: async (query: string): Promise<Answer> => {
    const asked = readQuery(new URLSearchParams(query))
    return { status: 200, body: pageOf(await store.listSites(caller.organisationId, asked), asked.limit) }
  },
  create: async (request: IncomingMessage): Promise<Answer> => {
    const members = readNewSite(await readJson(request))
    const site = await store.insertSite(caller.organisationId, { ...members, id: v7(), at: new Date() })
    return { status: 201, body: site, headers: { etag: etagOf(site), location: locationOf(site) } }
  },
  get: async (id: string): Promise<Answer> => {
    const site = await store.findSite(caller.organisationId, id)
    if (site === undefined) throw new Problem("site_not_found")
    return { status: 200, body: site, headers: { etag: etagOf(site) } }
  },
  update: async (id: string, request: IncomingMessage): Promise<Answer> => {
    const changes = readChanges(await readJson(request))
    const site = await store.updateSite(caller.organisationId, id, changes, new Date())
    return { status: 200, body: site, headers: { etag: etagOf(site) } }
  }
})

const route = async (
  store: Store,
  caller: Caller,
  request: IncomingMessage,
  path: string,
  query: string
): Promise<Answer> => {
  const { method } = request
  if (path === "/api/sites" && method === "GET") return sites(store, caller).list(query)
  if (path === "/api/sites" && method === "POST") return sites(store, caller).create(request)
  if (path.startsWith("/api/sites/") && method === "GET") return sites(store, caller).get(siteId(path))
  if (path.startsWith("/api/sites/") && method === "PUT") return sites(store, caller).update(siteId(path), request)
  if (path === "/api/me" && method === "GET") return { status: 200, body: await store.me(caller) }
  if (path === "/api/portfolios/with-sites" && method === "GET") {
    return { status: 200, body: { data: await store.listWithSites(caller.organisationId), nextCursor: null } }
  }
  if (path === "/api/docs/bulk-upload-url" && method === "POST") {
    const input = readUploads(await readJson(request))
    return { status: 200, body: await issueUploads(store, sign, caller, input) }
  }
  throw new Problem("route_not_found")
}

export const serve = (store: Store): void => {
  const authenticate = authenticator(store.findKey)

  const answer = async (request: IncomingMessage): Promise<Answer> => {
    const { headers, url = "/" } = request
    const end = url.indexOf("?")
    const path = end < 0 ? url : url.slice(0, end)
    if (path === "/health/live") return { status: 200, body: { status: "up", checks: {} } }
    return route(store, await authenticate(headers["x-api-key"]), request, path, end < 0 ? "" : url.slice(end + 1))
  }

  const server = createServer((request, response) => {
    const requestId = requestIdOf(request.headers["x-request-id"])
    answer(request).then(
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

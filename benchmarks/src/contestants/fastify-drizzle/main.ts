/**
 * Fastify with Drizzle over pg.
 */
import Fastify, { type FastifyRequest } from "fastify"
import { v7 } from "uuid"
import { originOf } from "../common/events.ts"
import { etagOf, fixedHeaders, locationOf, requestIdOf } from "../common/headers.ts"
import { authenticator, type Caller } from "../common/keys.ts"
import { decodeCursor, pageOf, wholeList } from "../common/pages.ts"
import { challenge, Problem, problemMediaType, toProblem } from "../common/problems.ts"
import { announce, closeOnSignal, host } from "../common/settings.ts"
import { sign } from "../common/signing.ts"
import { issueUploads, type UploadInput } from "../common/uploads.ts"
import * as schemas from "./schemas.ts"
import { membersOf, newMembers, type SiteMembers } from "./site.ts"
import { makeStore } from "./store.ts"

declare module "fastify" {
  interface FastifyRequest {
    caller: Caller
  }
}

interface SiteRoute {
  Params: { id: string }
}
interface ListRoute {
  Querystring: { limit?: string; cursor?: string; portfolioId?: string; siteId?: string }
}

const store = makeStore()
const authenticate = authenticator(store.findKey)

const app = Fastify({
  genReqId: ({ headers }) => requestIdOf(headers["x-request-id"]),
  // Invalid input is refused instead of converted.
  ajv: { customOptions: { removeAdditional: false, coerceTypes: false } },
  forceCloseConnections: true
})

app.addHook("onRequest", async (request, reply) => {
  reply.headers({ "x-request-id": request.id, ...fixedHeaders })
})

app.setErrorHandler((error, request, reply) => {
  const detail = error instanceof Error ? error.message : String(error)
  const invalid = Reflect.get(Object(error), "validation") !== undefined
  const problem = invalid
    ? new Problem("validation_failed", [{ pointer: "", code: "invalid_value", detail }])
    : toProblem(error)
  if (problem.status === 401) reply.headers(challenge)
  reply.code(problem.status).type(problemMediaType).serializer(JSON.stringify).send(problem.body(request.id))
})
app.setNotFoundHandler(() => {
  throw new Problem("route_not_found")
})

app.get("/health/live", async () => ({ status: "up", checks: {} }))

/** An id in a path that is not a UUID is an unknown id. */
const idOf = ({ params }: FastifyRequest<SiteRoute>): string => {
  if (!/^[0-9a-f-]{36}$/i.test(params.id)) throw new Problem("site_not_found")
  return params.id.toLowerCase()
}

app.register(
  async (api) => {
    api.decorateRequest("caller")
    api.addHook("onRequest", async (request) => {
      request.caller = await authenticate(request.headers["x-api-key"])
    })

    api.get("/me", { schema: { response: { 200: schemas.me } } }, ({ caller }) => store.me(caller))

    api.get<ListRoute>(
      "/sites",
      { schema: { querystring: schemas.listSites, response: { 200: schemas.siteList } } },
      async ({ caller, query }) => {
        const limit = query.limit === undefined ? wholeList : Number(query.limit)
        const { portfolioId, siteId } = query
        const asked = { limit, portfolioId, siteId, after: decodeCursor(query.cursor) }
        return pageOf(await store.listSites(caller.organisationId, asked), limit)
      }
    )

    api.post<{ Body: SiteMembers }>(
      "/sites",
      { schema: { body: schemas.createSite, response: { 201: schemas.site } } },
      async ({ body, caller, id }, reply) => {
        const site = await store.insertSite(originOf(caller, id), { ...newMembers(body), id: v7() })
        reply.code(201).headers({ etag: etagOf(site), location: locationOf(site) })
        return site
      }
    )

    api.get<SiteRoute>("/sites/:id", { schema: { response: { 200: schemas.site } } }, async (request, reply) => {
      const site = await store.findSite(request.caller.organisationId, idOf(request))
      if (site === undefined) throw new Problem("site_not_found")
      reply.header("etag", etagOf(site))
      return site
    })

    api.put<SiteRoute & { Body: Partial<SiteMembers> }>(
      "/sites/:id",
      { schema: { body: schemas.updateSite, response: { 200: schemas.site } } },
      async (request, reply) => {
        const origin = originOf(request.caller, request.id)
        const site = await store.updateSite(origin, idOf(request), membersOf(request.body))
        reply.header("etag", etagOf(site))
        return site
      }
    )

    api.get("/portfolios/with-sites", { schema: { response: { 200: schemas.portfolioList } } }, async ({ caller }) => ({
      data: await store.listWithSites(caller.organisationId),
      nextCursor: null
    }))

    api.post<{ Body: UploadInput }>(
      "/docs/bulk-upload-url",
      { schema: { body: schemas.issueUploads } },
      ({ body, caller, id }) =>
        issueUploads(store, sign, originOf(caller, id), { ...body, siteId: body.siteId.toLowerCase() })
    )
  },
  { prefix: "/api" }
)

await app.listen({ host, port: 0 })
const address = app.server.address()
announce(typeof address === "object" && address !== null ? address.port : 0)
closeOnSignal(async () => {
  await app.close()
  await store.close()
})

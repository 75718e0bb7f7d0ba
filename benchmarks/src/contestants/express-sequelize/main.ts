/**
 * Express with Sequelize. Express has no validator of its own: the readers of the limit validate.
 */
import express, { type ErrorRequestHandler, type Request, type RequestHandler } from "express"
import { v7 } from "uuid"
import { originOf } from "../common/events.ts"
import { etagOf, fixedHeaders, locationOf, requestIdOf } from "../common/headers.ts"
import { authenticator, type Caller } from "../common/keys.ts"
import { pageOf } from "../common/pages.ts"
import { challenge, Problem, problemMediaType, toProblem } from "../common/problems.ts"
import { isUuid } from "../common/readers.ts"
import { announce, closeOnSignal, host } from "../common/settings.ts"
import { sign } from "../common/signing.ts"
import { issueUploads } from "../common/uploads.ts"
import { readQuery, readUploads } from "../common/validation.ts"
import { readChanges, readNewSite } from "../limit/site.ts"
import { makeStore } from "./store.ts"

interface Locals {
  requestId: string
  caller: Caller
}
type Handler<Parameters = object> = RequestHandler<Parameters, unknown, unknown, unknown, Locals>

const store = makeStore()
const authenticate = authenticator(store.findKey)

const siteIdOf = ({ params }: Pick<Request<{ id: string }>, "params">): string => {
  if (!isUuid(params.id)) throw new Problem("site_not_found")
  return params.id.toLowerCase()
}

const identify: Handler = (request, response, next) => {
  response.locals.requestId = requestIdOf(request.headers["x-request-id"])
  response.set({ "x-request-id": response.locals.requestId, ...fixedHeaders })
  next()
}

const authorise: Handler = async (request, response, next) => {
  response.locals.caller = await authenticate(request.headers["x-api-key"])
  next()
}

const originIn = ({ locals: { caller, requestId } }: { readonly locals: Locals }) => originOf(caller, requestId)

const listSites: Handler = async (request, response) => {
  const query = readQuery(new URL(request.url, "http://localhost").searchParams)
  response.json(pageOf(await store.listSites(response.locals.caller.organisationId, query), query.limit))
}

const createSite: Handler = async (request, response) => {
  const site = await store.insertSite(originIn(response), { ...readNewSite(request.body), id: v7() })
  response
    .status(201)
    .set({ etag: etagOf(site), location: locationOf(site) })
    .json(site)
}

const getSite: Handler<{ id: string }> = async (request, response) => {
  const site = await store.findSite(response.locals.caller.organisationId, siteIdOf(request))
  if (site === undefined) throw new Problem("site_not_found")
  response.set("etag", etagOf(site)).json(site)
}

const updateSite: Handler<{ id: string }> = async (request, response) => {
  const site = await store.updateSite(originIn(response), siteIdOf(request), readChanges(request.body))
  response.set("etag", etagOf(site)).json(site)
}

const listWithSites: Handler = async (_request, response) => {
  response.json({ data: await store.listWithSites(response.locals.caller.organisationId), nextCursor: null })
}

const uploads: Handler = async (request, response) => {
  response.json(await issueUploads(store, sign, originIn(response), readUploads(request.body)))
}

const refuse: ErrorRequestHandler<object, unknown, unknown, unknown, Locals> = (error, _request, response, _next) => {
  const problem = toProblem(error)
  if (problem.status === 401) response.set(challenge)
  response.status(problem.status).type(problemMediaType).json(problem.body(response.locals.requestId))
}

const api = express
  .Router()
  .use(authorise)
  .use(express.json({ limit: "1mb" }))
  .get("/me", async (_request, response: express.Response<unknown, Locals>) => {
    response.json(await store.me(response.locals.caller))
  })
  .get("/sites", listSites)
  .post("/sites", createSite)
  .get("/sites/:id", getSite)
  .put("/sites/:id", updateSite)
  .get("/portfolios/with-sites", listWithSites)
  .post("/docs/bulk-upload-url", uploads)

const app = express()
  // Clients here send no If-None-Match, so digests of responses are useless.
  .disable("etag")
  .disable("x-powered-by")
  .use(identify)
  .get("/health/live", (_request, response) => {
    response.json({ status: "up", checks: {} })
  })
  .use("/api", api)
  .use(() => {
    throw new Problem("route_not_found")
  })
  .use(refuse)

const server = app.listen(0, host, () => {
  const address = server.address()
  announce(typeof address === "object" && address !== null ? address.port : 0)
})
closeOnSignal(async () => {
  server.close()
  server.closeAllConnections()
  await store.close()
})

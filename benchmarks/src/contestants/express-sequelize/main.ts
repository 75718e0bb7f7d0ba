/**
 * Express with Sequelize; zod validates.
 */
import express, { type ErrorRequestHandler, type Request, type RequestHandler } from "express"
import { v7 } from "uuid"
import type { z } from "zod"
import { etagOf, fixedHeaders, locationOf, requestIdOf } from "../common/headers.ts"
import {
  CreateSite,
  changedMembers,
  faultsOf,
  IssueUploads,
  isUuid,
  ListSites,
  newMembers,
  UpdateSite
} from "../common/input.ts"
import { authenticator, type Caller } from "../common/keys.ts"
import { decodeCursor, pageOf } from "../common/pages.ts"
import { challenge, Problem, problemMediaType, toProblem } from "../common/problems.ts"
import { announce, closeOnSignal, host } from "../common/settings.ts"
import { sign } from "../common/signing.ts"
import { issueUploads } from "../common/uploads.ts"
import { makeStore } from "./store.ts"

interface Locals {
  requestId: string
  caller: Caller
}
type Handler<Parameters = object> = RequestHandler<Parameters, unknown, unknown, unknown, Locals>

const store = makeStore()
const authenticate = authenticator(store.findKey)

const parse = <S extends z.ZodType>(schema: S, value: unknown): z.output<S> => {
  const { data, error } = schema.safeParse(value)
  if (error !== undefined) throw new Problem("validation_failed", faultsOf(error.issues))
  return data
}

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

const listSites: Handler = async (request, response) => {
  const { cursor, ...query } = parse(ListSites, request.query)
  const found = await store.listSites(response.locals.caller.organisationId, { ...query, after: decodeCursor(cursor) })
  response.json(pageOf(found, query.limit))
}

const createSite: Handler = async (request, response) => {
  const members = newMembers(parse(CreateSite, request.body))
  const site = await store.insertSite(response.locals.caller.organisationId, { ...members, id: v7(), at: new Date() })
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
  const changes = changedMembers(parse(UpdateSite, request.body))
  const { organisationId } = response.locals.caller
  const site = await store.updateSite(organisationId, siteIdOf(request), changes, new Date())
  response.set("etag", etagOf(site)).json(site)
}

const listWithSites: Handler = async (_request, response) => {
  response.json({ data: await store.listWithSites(response.locals.caller.organisationId), nextCursor: null })
}

const uploads: Handler = async (request, response) => {
  response.json(await issueUploads(store, sign, response.locals.caller, parse(IssueUploads, request.body)))
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

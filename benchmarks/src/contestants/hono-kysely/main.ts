/**
 * Hono with Kysely over pg; zod validates through Hono's validator.
 */
import { serve } from "@hono/node-server"
import { zValidator } from "@hono/zod-validator"
import { type Context, Hono } from "hono"
import { bodyLimit } from "hono/body-limit"
import { createMiddleware } from "hono/factory"
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

interface Env {
  Variables: { requestId: string; caller: Caller }
}

const store = makeStore()
const authenticate = authenticator(store.findKey)

const valid = <Target extends "json" | "query", S extends z.ZodType>(target: Target, schema: S) =>
  zValidator(target, schema, (result) => {
    if (!result.success) throw new Problem("validation_failed", faultsOf(result.error.issues))
  })

const identify = createMiddleware<Env>(async (context, next) => {
  context.set("requestId", requestIdOf(context.req.header("x-request-id")))
  await next()
  context.header("x-request-id", context.get("requestId"))
  for (const [name, value] of Object.entries(fixedHeaders)) context.header(name, value)
})

const authorise = createMiddleware<Env>(async (context, next) => {
  context.set("caller", await authenticate(context.req.header("x-api-key")))
  await next()
})

const limited = bodyLimit({
  maxSize: 1_048_576,
  onError: () => {
    throw new Problem("body_too_large")
  }
})

const siteIdOf = (id: string): string => {
  if (!isUuid(id)) throw new Problem("site_not_found")
  return id.toLowerCase()
}

const refuse = (problem: Problem, context: Context<Env>): Response => {
  const headers = { "content-type": problemMediaType, ...(problem.status === 401 ? challenge : {}) }
  return new Response(JSON.stringify(problem.body(context.get("requestId"))), { status: problem.status, headers })
}

const app = new Hono<Env>()
app.use(identify)
app.onError((error, context) => refuse(toProblem(error), context))
app.notFound((context) => refuse(new Problem("route_not_found"), context))
app.get("/health/live", (context) => context.json({ status: "up", checks: {} }))

app.use("/api/*", authorise, limited)

app.get("/api/me", async (context) => context.json(await store.me(context.get("caller"))))

app.get("/api/sites", valid("query", ListSites), async (context) => {
  const { cursor, ...query } = context.req.valid("query")
  const found = await store.listSites(context.get("caller").organisationId, { ...query, after: decodeCursor(cursor) })
  return context.json(pageOf(found, query.limit))
})

app.post("/api/sites", valid("json", CreateSite), async (context) => {
  const members = newMembers(context.req.valid("json"))
  const site = await store.insertSite(context.get("caller").organisationId, { ...members, id: v7(), at: new Date() })
  return context.json(site, 201, { etag: etagOf(site), location: locationOf(site) })
})

app.get("/api/sites/:id", async (context) => {
  const site = await store.findSite(context.get("caller").organisationId, siteIdOf(context.req.param("id")))
  if (site === undefined) throw new Problem("site_not_found")
  return context.json(site, 200, { etag: etagOf(site) })
})

app.put("/api/sites/:id", valid("json", UpdateSite), async (context) => {
  const id = siteIdOf(context.req.param("id"))
  const changes = changedMembers(context.req.valid("json"))
  const site = await store.updateSite(context.get("caller").organisationId, id, changes, new Date())
  return context.json(site, 200, { etag: etagOf(site) })
})

app.get("/api/portfolios/with-sites", async (context) =>
  context.json({ data: await store.listWithSites(context.get("caller").organisationId), nextCursor: null })
)

app.post("/api/docs/bulk-upload-url", valid("json", IssueUploads), async (context) =>
  context.json(await issueUploads(store, sign, context.get("caller"), context.req.valid("json")))
)

const server = serve({ fetch: app.fetch, hostname: host, port: 0 }, ({ port }) => announce(port))
closeOnSignal(async () => {
  server.close()
  if ("closeAllConnections" in server) server.closeAllConnections()
  await store.close()
})

import { once } from "node:events"
import { Agent, createServer, type IncomingMessage, request } from "node:http"
import type { SolarSitesServices } from "@solar-sites/core"
import { Clock, Effect, Layer, Logger } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect, it } from "vitest"
import { type AccessLine, HealthChecks, type HttpOptions, routes, toNodeListener } from "../src/index.ts"
import { useMember } from "./Serving.ts"
import { aNewSite, bindings, caller, closed, listening, nodeBinding, type Ports, webBinding } from "./Setup.ts"

const { member, setup } = useMember()

describe.each(Object.entries(bindings))("options of %s", (_, bind) => {
  const withOptions = async <A>(
    options: HttpOptions,
    use: (send: (key: string | null) => ReturnType<typeof caller>) => Promise<A>,
    ports: Ports = setup().ports
  ) => {
    const binding = await bind(ports, options)
    return use((key) => caller(binding, key)).finally(binding.close)
  }

  it("serves everything under a prefix, and nothing else", () =>
    withOptions({ prefix: "/solar" }, async (as) => {
      const send = as(member().key)
      const { headers, json, status } = await send("POST /solar/api/sites", { body: aNewSite })
      expect([status, headers.get("location")]).toEqual([201, `/solar/api/sites/${json.id}`])
      for (const line of ["GET /api/sites", "GET /solar", "GET /solarapi/sites"]) {
        expect((await send(line)).json.code).toBe("route_not_found")
      }
      expect((await send("GET /solar/")).json.code).toBe("route_not_found")
      expect((await send("GET /solar/openapi.json")).json.servers).toEqual([{ url: "/solar" }])
    }))

  it("prepends publicPath to Location for clients behind a proxy that strips a path", () =>
    withOptions({ prefix: "/solar", publicPath: "/energy" }, async (as) => {
      const { headers, json, status } = await as(member().key)("POST /solar/api/sites", { body: aNewSite })
      expect([status, headers.get("location")]).toEqual([201, `/energy/solar/api/sites/${json.id}`])
      expect((await as(null)("GET /solar/openapi.json")).json.servers).toEqual([{ url: "/energy/solar" }])
      expect((await as(null)("GET /energy/solar/openapi.json")).json.code).toBe("route_not_found")
    }))

  it("redirects / to the home of the host", () =>
    withOptions({ prefix: "/solar", home: "/public/docs" }, async (as) => {
      for (const method of ["GET", "HEAD"]) {
        const { headers, status } = await as(null)(`${method} /solar/`, { redirect: "manual" })
        expect([status, headers.get("location"), headers.get("cache-control")]).toEqual([
          302,
          "/public/docs",
          "no-store"
        ])
        expect(headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/)
      }
      const posted = await as(null)("POST /solar/")
      expect([posted.status, posted.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"])
    }))

  it("calls the authentication of the host before it checks a key", () =>
    withOptions(
      { authenticate: async ({ headers: { cookie } }) => (cookie ? { organisationId: cookie, userId: "u-1" } : null) },
      async (as) => {
        for (const { organisation } of [member(), await setup().join("Moonfield")]) {
          const { id } = organisation
          const { json } = await as(null)("GET /api/me", { headers: { cookie: id } })
          expect(json).toMatchObject({ organisation: { id }, userId: "u-1", apiKey: null })
        }
        expect((await as(null)("GET /api/me")).json.code).toBe("api_key_missing")
        expect((await as(member().key)("GET /api/me")).status).toBe(200)
      }
    ))

  it("writes an access line for every request, without key and query", async () => {
    const lines: Array<AccessLine> = []
    await withOptions({ onRequest: (line) => lines.push(line) }, async (as) => {
      await as(member().key)("GET /api/sites?limit=1", { headers: { "x-request-id": "request-1" } })
      await as(null)("GET /api/portfolios/17")
      await as(null)("GET /nowhere?secret=1")
    })
    expect(lines.map(({ method, route, status }) => [method, route, status])).toEqual([
      ["GET", "/api/sites", 200],
      ["GET", "/api/portfolios/{id}", 401],
      ["GET", null, 404]
    ])
    expect(lines[0]).toMatchObject({
      requestId: "request-1",
      organisationId: member().organisation.id,
      apiKeyId: expect.any(String),
      keyPrefix: member().key.slice(0, 14),
      durationMs: expect.any(Number)
    })
    expect(JSON.stringify(lines)).not.toContain(member().key)
    expect(JSON.stringify(lines)).not.toContain("limit")
  })

  it("is ready while all checks are up and the host is not stopping", async () => {
    const states = { database: true, storage: true, redis: true }
    let stopping = false
    const clock = Effect.runSync(Effect.scoped(TestClock.make()))
    // The outcome of a check counts for a second.
    const passSecond = () => Effect.runPromise(clock.adjust("1 second"))
    const checks = Layer.succeed(HealthChecks, [
      { name: "database", problem: "database_unavailable", isUp: Effect.sync(() => states.database) },
      { name: "storage", problem: "internal", isUp: Effect.sync(() => states.storage) },
      { name: "redis", problem: null, isUp: Effect.sync(() => states.redis) }
    ])
    await withOptions(
      { isShuttingDown: () => stopping },
      async (as) => {
        const ready = () => as(null)("GET /health/ready")
        expect((await ready()).json).toEqual({ status: "up", checks: { database: "up", storage: "up", redis: "up" } })
        states.redis = false
        const withoutRedis = { status: "up", checks: { database: "up", storage: "up", redis: "down" } }
        await passSecond()
        expect((await ready()).json).toEqual(withoutRedis)
        states.database = false
        expect((await ready()).json).toEqual(withoutRedis)
        await passSecond()
        expect((await ready()).status).toBe(503)
        const checks = { database: "down", storage: "up", redis: "down" }
        expect((await ready()).json).toMatchObject({ code: "database_unavailable", checks })
        stopping = true
        expect((await ready()).json.code).toBe("shutting_down")
        expect((await as(null)("GET /health/live")).status).toBe(200)
      },
      Layer.mergeAll(setup().ports, checks, Layer.succeed(Clock.Clock, clock))
    )
  })
})

describe("the life of a binding", () => {
  it("answers shutting_down after it has been released", async () => {
    const binding = webBinding(setup().ports)
    const send = caller(binding, member().key)
    expect((await send("GET /api/me")).status).toBe(200)
    await binding.close()
    const { headers, json, status } = await send("GET /api/me")
    expect([status, json.code, json.requestId]).toEqual([503, "shutting_down", headers.get("x-request-id")])
  })

  it("answers database_unavailable when the layer cannot be built", async () => {
    const broken: Layer.Layer<SolarSitesServices.SolarSitesPorts, string> = Layer.effectContext(
      Effect.fail("no database")
    )
    const { close, listener, ready } = toNodeListener(Layer.merge(broken, Logger.layer([])))
    await expect(ready).rejects.toThrow()
    const server = createServer(listener)
    const response = await fetch(`http://127.0.0.1:${await listening(server)}/health/ready`)
    expect([response.status, JSON.parse(await response.text()).code]).toEqual([503, "database_unavailable"])
    await closed(server)
    await close()
  })

  it("serves requests of frameworks: a parsed body, a stripped mount path", async () => {
    const solar = toNodeListener(setup().ports)
    const server = createServer(async (request, response) => {
      const host: IncomingMessage & { body?: unknown; baseUrl?: string } = request
      const chunks: Array<Uint8Array> = []
      for await (const chunk of request) chunks.push(chunk)
      host.body = JSON.parse(Buffer.concat(chunks).toString())
      host.baseUrl = "/mounted"
      host.url = request.url?.slice("/mounted".length) ?? ""
      solar.listener(host, response)
    })
    const base = `http://127.0.0.1:${await listening(server)}`
    const send = caller({ base, send: (request) => fetch(request), close: async () => {} }, member().key)
    const { headers, json, status } = await send("POST /mounted/api/sites", { body: aNewSite })
    expect([status, headers.get("location")]).toEqual([201, `/mounted/api/sites/${json.id}`])
    const bad = await send("POST /mounted/api/sites", { body: { siteName: 1 } })
    expect(bad.json.errors).toHaveLength(3)
    await closed(server)
    await solar.close()
  })

  it("closes connections while it shuts down", async () => {
    const binding = await nodeBinding(setup().ports)
    const send = caller(binding, member().key)
    const kept = await send("GET /health/live")
    expect(kept.headers.get("connection")).not.toBe("close")
    await binding.close()
    await expect(send("GET /health/live")).rejects.toThrow()
  })

  it("closes the connections of requests in flight, so that the server ends", async () => {
    const solar = toNodeListener(setup().ports)
    const server = createServer(solar.listener)
    const port = await listening(server)
    const agent = new Agent({ keepAlive: true })
    const headers = { "x-api-key": member().key, "content-type": "application/json", expect: "100-continue" }
    const sending = request({ agent, port, host: "127.0.0.1", path: "/api/sites", method: "POST", headers })
    const answered = once(sending, "response")
    sending.flushHeaders()
    await once(sending, "continue")
    const ended = Promise.all([once(server.close(), "close"), solar.close()])
    sending.end(JSON.stringify(aNewSite))
    const [response] = await answered
    expect([response.statusCode, response.headers.connection]).toEqual([201, "close"])
    response.resume()
    await ended
    agent.destroy()
  })

  it("is released once, after requests in flight, however often it is closed", async () => {
    const solar = toNodeListener(setup().ports)
    const server = createServer(solar.listener)
    const port = await listening(server)
    const headers = { "x-api-key": member().key, "content-type": "application/json", expect: "100-continue" }
    const sending = request({ port, host: "127.0.0.1", path: "/api/sites", method: "POST", headers })
    const answered = once(sending, "response")
    sending.flushHeaders()
    await once(sending, "continue")
    const ended = Promise.all([solar.close(), solar.close(), closed(server)])
    sending.end(JSON.stringify(aNewSite))
    const [response] = await answered
    expect(response.resume().statusCode).toBe(201)
    await ended
    await solar.close()
  })
})

describe("routes of an Effect server", () => {
  it.each([
    [{}, "theirs", 404, ""],
    [{ catchAll: true }, "theirs", 404, "route_not_found"]
  ] as const)("live beside those of the host: %j", async (options, text, status, code) => {
    const other = HttpRouter.add("GET", "/theirs", HttpServerResponse.text(text))
    const app = Layer.mergeAll(other, routes({ home: "/docs", ...options })).pipe(Layer.provide(setup().ports))
    const { dispose, handler } = HttpRouter.toWebHandler(app, { disableLogger: true })
    const send = caller({ base: "http://localhost", send: handler, close: dispose }, member().key)
    expect((await send("GET /theirs")).text).toBe("theirs")
    expect((await send("GET /", { redirect: "manual" })).headers.get("location")).toBe("/docs")
    expect((await send("POST /api/sites", { body: aNewSite })).status).toBe(201)
    expect((await send("GET /api/sites?limit=1")).json.data).toHaveLength(1)
    expect((await send("GET /API/sites")).json.code).toBe("route_not_found")
    expect((await send("PATCH /api/sites")).status).toBe(405)
    const unknown = await send("GET /nowhere")
    expect([unknown.status, unknown.json?.code ?? ""]).toEqual([status, code])
    await dispose()
  })
})

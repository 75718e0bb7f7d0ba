import { ApiKeySecret, RateLimiter } from "@solar-sites/core"
import { Effect, Layer, Logger, Option, Redacted, References, Tracer } from "effect"
import { HttpRouter } from "effect/http"
import { describe, expect, it } from "vitest"
import { type AccessLine, routes } from "../src/index.ts"
import { useMember } from "./Serving.ts"
import { aNewSite, type Binding, bindings, caller, unknownId, uploadsOf } from "./Setup.ts"

const { member, setup } = useMember()

/** A tracer and a logger that keep all they are given. */
const recording = () => {
  const spans: Array<Tracer.NativeSpan> = []
  const logged: Array<unknown> = []
  const tracer = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      spans.push(span)
      return span
    }
  })
  const logger = Logger.make(({ cause, fiber, message }) => {
    logged.push(`${message} ${cause}`, fiber.getRef(References.CurrentLogAnnotations))
  })
  const layer = Layer.mergeAll(
    Layer.succeed(Tracer.Tracer, tracer),
    Logger.layer([logger]),
    Layer.succeed(References.MinimumLogLevel, "All")
  )
  const servers = () => spans.filter(({ kind }) => kind === "server")
  return { layer, logged, servers, spans }
}

/** All that a span says, as text. */
const textOf = ({ attributes, events, links, name, status }: Tracer.NativeSpan) =>
  [name, ...attributes, ...events, ...links, status._tag === "Ended" ? String(status.exit) : "open"]
    .map((value) =>
      typeof value === "string" ? value : JSON.stringify(value, (_, it) => (typeof it === "bigint" ? `${it}` : it))
    )
    .join("\n")

describe.each(Object.entries(bindings))("traces through %s", (_, bind) => {
  const using = async <A>(use: (binding: Binding, recorded: ReturnType<typeof recording>) => Promise<A>) => {
    const recorded = recording()
    const binding = await bind(Layer.merge(setup().ports, recorded.layer))
    return use(binding, recorded).finally(binding.close)
  }

  it("have one span per request, with method, pattern of the path and status", () =>
    using(async (binding, { servers }) => {
      const send = caller(binding, member().key)
      await send(`GET /api/sites/${unknownId}?x=1`)
      await send("GET /nowhere/to/be/seen?x=1")
      await send("PATCH /api/sites")
      expect(servers().map(({ attributes, name }) => [name, Object.fromEntries(attributes)])).toEqual([
        [
          "GET /api/sites/{id}",
          { "http.request.method": "GET", "http.route": "/api/sites/{id}", "http.response.status_code": 400 }
        ],
        ["GET", { "http.request.method": "GET", "http.response.status_code": 404 }],
        [
          "PATCH /api/sites",
          { "http.request.method": "PATCH", "http.route": "/api/sites", "http.response.status_code": 405 }
        ]
      ])
      expect(servers().map(({ status }) => status._tag)).toEqual(["Ended", "Ended", "Ended"])
    }))

  it("continue those of the caller, and include the spans of the rules", () =>
    using(async (binding, { servers, spans }) => {
      const traceId = "0af7651916cd43dd8448eb211c80319c"
      await caller(binding, member().key)("POST /api/sites", {
        body: aNewSite,
        headers: { traceparent: `00-${traceId}-b7ad6b7169203331-01` }
      })
      const [server] = servers()
      expect([server?.traceId, Option.map(server?.parent ?? Option.none(), ({ spanId }) => spanId)]).toEqual([
        traceId,
        Option.some("b7ad6b7169203331")
      ])
      expect(spans.filter(({ name }) => name === "Sites.create").map(({ traceId }) => traceId)).toEqual([traceId])
    }))
})

describe("the log and the trace of a request", () => {
  // Every kind of answer there is, with the key, and with what else must not be seen.
  const requests = (siteId: string): ReadonlyArray<readonly [line: string, body?: unknown]> => [
    ["GET /api/sites?limit=17"],
    ["GET /api/sites?cursor=hidden17"],
    ["POST /api/sites", aNewSite],
    ["POST /api/sites", "{"],
    ["POST /api/sites", { siteName: 1 }],
    [`PUT /api/sites/${siteId}`, { unit: "kW" }],
    [`GET /api/sites/${unknownId}`],
    [`DELETE /api/sites/${siteId}?hidden17=1`],
    ["GET /api/portfolios/with-sites"],
    ["GET /api/me"],
    ["POST /api/docs/bulk-upload-url", uploadsOf(unknownId, "a")],
    ["GET /nowhere?hidden17"],
    ["POST /storage-events?token=storage-hidden17", {}],
    ["POST /storage-events?token=wrong-hidden17", {}],
    ["PROPFIND /api/sites"],
    ["OPTIONS /api/sites"],
    ["GET /health/ready"],
    ["GET /openapi.json"],
    ["GET /metrics"]
  ]

  it.each(Object.entries(bindings))("never hold a key, its digest, a token or a query: %s", async (_, bind) => {
    const recorded = recording()
    const lines: Array<AccessLine> = []
    const ports = Layer.mergeAll(setup().ports, RateLimiter.layerInProcess, recorded.layer)
    const binding = await bind(ports, {
      onRequest: (line) => lines.push(line),
      rateLimitPerMinute: 16,
      metricsToken: Redacted.make("token-hidden17"),
      storageEvents: { token: Redacted.make("storage-hidden17"), read: () => Effect.succeed(["hidden17"]) }
    })
    const { json: site } = await caller(binding, member().key)("POST /api/sites", { body: aNewSite })
    const unknown = Redacted.value(await setup().run(ApiKeySecret.generate))
    const expected: Array<number> = []
    for (const key of [member().key, unknown, `${member().key}x`, null]) {
      for (const [line, body] of requests(site.id)) {
        const headers = { authorization: "Bearer token-hidden17", "user-agent": "hidden17" }
        expected.push((await caller(binding, key)(line, { body, headers })).status)
      }
    }
    for (let again = 0; again < 10; again++) expected.push((await caller(binding, member().key)("GET /api/me")).status)
    await binding.close()
    expect(new Set(expected)).toEqual(new Set([200, 201, 204, 400, 401, 404, 405, 429]))
    expect(lines).toHaveLength(expected.length + 1)
    expect(recorded.servers()).toHaveLength(lines.length)
    const everything = [
      JSON.stringify(lines),
      ...recorded.logged.map((entry) => (typeof entry === "string" ? entry : JSON.stringify(entry))),
      ...recorded.spans.map(textOf)
    ].join("\n")
    for (const key of [member().key, unknown]) {
      const digest = ApiKeySecret.digest(Redacted.make(key))
      for (const secret of [key, key.slice(14), digest, Buffer.from(digest).toString("base64")]) {
        expect(everything.includes(secret)).toBe(false)
      }
    }
    for (const secret of ["hidden17", "limit=17", "?"]) expect(everything.includes(secret)).toBe(false)
  })

  it("are added to the span of an Effect server around it", async () => {
    const recorded = recording()
    const app = routes().pipe(Layer.provide(setup().ports))
    const { dispose, handler } = HttpRouter.toWebHandler(app.pipe(Layer.provideMerge(recorded.layer)), {
      disableLogger: true
    })
    await caller({ base: "http://localhost", send: handler, close: dispose }, member().key)("GET /api/sites")
    await dispose()
    expect(recorded.servers().map(({ attributes }) => attributes.get("http.route"))).toEqual(["/api/sites"])
  })
})

import { connect } from "node:net"
import { text } from "node:stream/consumers"
import { RateLimiter } from "@solar-sites/core"
import { Effect, Layer, Metric, Redacted } from "effect"
import { describe, expect, it } from "vitest"
import type { HttpOptions } from "../src/index.ts"
import { useMember } from "./Serving.ts"
import { aNewSite, type Binding, bindings, caller, nodeBinding, type Ports, unknownId } from "./Setup.ts"

const { member, setup } = useMember()

const registry = () => Layer.succeed(Metric.MetricRegistry, new Map())

const local: HttpOptions = { clientAddress: ({ headers }) => headers["x-from"] ?? "127.0.0.1" }

describe.each(Object.entries(bindings))("metrics through %s", (_, bind) => {
  const using = async <A>(options: HttpOptions, use: (binding: Binding) => Promise<A>): Promise<A> => {
    const ports: Ports = Layer.mergeAll(setup().ports, RateLimiter.layerInProcess, registry())
    const binding = await bind(ports, options)
    return use(binding).finally(binding.close)
  }
  const scrape = (binding: Binding, headers = {}) => caller(binding, null)("GET /metrics", { headers })
  /** The values of a metric by its labels. */
  const valuesOf = (text: string, name: string) =>
    Object.fromEntries(
      text
        .split("\n")
        .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
        .map((line) => [line.slice(name.length, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ")))])
    )

  it("count requests by method, pattern of the path and status, and time them", () =>
    using({ ...local, rateLimitPerMinute: 6 }, async (binding) => {
      const send = caller(binding, member().key)
      await send("POST /api/sites", { body: aNewSite })
      await send(`GET /api/sites/${unknownId}`)
      await send("GET /api/sites/another?limit=1")
      await send("GET /api/sites/another")
      await send("PROPFIND /api/sites")
      for (const line of ["GET /nowhere", "GET /wp-login.php"]) await send(line)
      await send("GET /api/me")
      await send("GET /api/me")
      const refused = await send("GET /api/me")
      expect(refused.status).toBe(429)
      const { headers, status, text } = await scrape(binding)
      expect([status, headers.get("content-type")]).toEqual([200, "text/plain; version=0.0.4; charset=utf-8"])
      const label = (method: string, route: string, status: number) =>
        `{method="${method}",route="${route}",status="${status}"}`
      expect(valuesOf(text, "solar_sites_http_requests_total")).toEqual({
        [label("POST", "/api/sites", 201)]: 1,
        [label("GET", "/api/sites/{id}", 404)]: 2,
        [label("GET", "/api/sites/{id}", 400)]: 1,
        [label("_OTHER", "/api/sites", 405)]: 1,
        [label("GET", "", 404)]: 2,
        [label("GET", "/api/me", 200)]: 2,
        [label("GET", "/api/me", 429)]: 1
      })
      const took = valuesOf(text, "solar_sites_http_request_duration_seconds_count")
      expect(took['{method="GET",route="/api/me"}']).toBe(3)
      expect(text).toMatch(/duration_seconds_bucket\{method="GET",route="\/api\/me",le="\+Inf"\} 3/)
      expect(valuesOf(text, "solar_sites_http_requests_in_flight")).toEqual({ "": 1 })
      expect(valuesOf(text, "solar_sites_rate_limit_refusals_total")).toEqual({ '{limit="key"}': 1 })
      const cache = valuesOf(text, "solar_sites_api_key_cache_total")
      expect(cache['{outcome="hit"}']).toBeGreaterThanOrEqual(6)
      expect(Object.keys(valuesOf(text, "solar_sites_event_loop_delay_seconds"))).toEqual([
        '{quantile="0.5"}',
        '{quantile="0.99"}',
        '{quantile="1"}'
      ])
      for (const secret of [member().key, unknownId, "limit=1", "wp-login"]) expect(text).not.toContain(secret)
    }))

  it("include the metrics of other packages", async () => {
    const counted = new Map()
    await Effect.runPromise(
      Metric.update(Metric.counter("solar_sites_swept_documents", { attributes: { outcome: "failed" } }), 3).pipe(
        Effect.provideService(Metric.MetricRegistry, counted)
      )
    )
    const ports = Layer.merge(setup().ports, Layer.succeed(Metric.MetricRegistry, counted))
    const binding = await bind(ports, local)
    expect((await scrape(binding)).text).toContain('solar_sites_swept_documents_total{outcome="failed"} 3')
    await binding.close()
  })

  it("are for this machine only, and not for requests through a proxy on it", () =>
    using(local, async (binding) => {
      for (const address of ["127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1"]) {
        expect((await scrape(binding, { "x-from": address })).status).toBe(200)
      }
      for (const headers of [
        { "x-from": "192.0.2.1" },
        { "x-from": "unknown" },
        { "x-forwarded-for": "127.0.0.1" },
        { "x-forwarded-proto": "https" },
        { "x-real-ip": "127.0.0.1" },
        { forwarded: "for=127.0.0.1" }
      ]) {
        const { headers: answered, json, status } = await scrape(binding, headers)
        expect([status, json.code]).toEqual([404, "route_not_found"])
        expect(answered.has("allow")).toBe(false)
      }
    }))

  it("are not for requests through a proxy without headers: another Host, or HTTP/1.0", async () => {
    const { close, port } = await nodeBinding(Layer.merge(setup().ports, registry()))
    const statusOf = async (request: string) => {
      const socket = connect(port, "127.0.0.1")
      socket.write(`${request}\r\nConnection: close\r\n\r\n`)
      return (await text(socket)).slice(9, 12)
    }
    expect(await statusOf(`GET /metrics HTTP/1.1\r\nHost: localhost:${port}`)).toBe("200")
    expect(await statusOf("GET /metrics HTTP/1.1\r\nHost: [::1]")).toBe("200")
    expect(await statusOf("GET /metrics HTTP/1.1\r\nHost: solar.example.com")).toBe("404")
    expect(await statusOf("GET /metrics HTTP/1.1\r\nHost: 127.0.0.1.example.com")).toBe("404")
    expect(await statusOf(`GET /metrics HTTP/1.0\r\nHost: 127.0.0.1:${port}`)).toBe("404")
    await close()
  })

  it("require the token once it is set", () =>
    using({ ...local, metricsToken: Redacted.make("let me in") }, async (binding) => {
      for (const authorization of ["Bearer let me in", "bearer let me in"]) {
        const { status } = await scrape(binding, { authorization, "x-from": "192.0.2.1" })
        expect(status).toBe(200)
      }
      for (const authorization of ["", "let me in", "Bearer", "Bearer let me", "Basic let me in"]) {
        const { json, status } = await scrape(binding, { authorization })
        expect([status, json.code]).toEqual([404, "route_not_found"])
      }
    }))
})

import { describe, expect, it } from "vitest"
import { useServer } from "./Serving.ts"
import { aNewSite, bindings, caller, webBinding } from "./Setup.ts"

const app = "https://app.example.com"
const corsHeaders = (headers: Headers) =>
  [...headers.keys()].filter((name) => name.startsWith("access-control-") || name === "vary")

describe.each(Object.entries(bindings))("pages of other origins through %s", (_, bind) => {
  const { binding, member, setup } = useServer(bind, { corsOrigins: [app, "http://localhost:5173"] })

  const preflight = (path: string, origin: string, asked = true) =>
    caller(binding(), null)(`OPTIONS ${path}`, {
      headers: { origin, ...(asked ? { "access-control-request-method": "PUT" } : {}) }
    })

  it("may send the methods of a path, with the allowed headers", async () => {
    const { headers, status, text } = await preflight("/api/sites/anything", app)
    expect([status, text]).toEqual([204, ""])
    expect(headers.get("access-control-allow-origin")).toBe(app)
    expect(headers.get("access-control-allow-methods")).toBe("GET, HEAD, PUT, DELETE, OPTIONS")
    expect(headers.get("access-control-allow-headers")).toBe(
      "x-api-key, content-type, if-match, if-none-match, idempotency-key, x-request-id"
    )
    expect(Number(headers.get("access-control-max-age"))).toBeGreaterThan(0)
    expect(headers.get("vary")).toBe("Origin")
    expect(headers.has("access-control-allow-credentials")).toBe(false)
  })

  it.each([
    ["GET /api/sites", 200],
    ["POST /api/sites", 201],
    ["PUT /api/sites/x", 404],
    ["POST /api/portfolios", 400],
    ["PATCH /api/sites", 405],
    ["GET /nowhere", 404],
    ["OPTIONS /nowhere", 404]
  ])("may read the answer to %s", async (line, expected) => {
    const body = /^(?:POST|PUT)/.test(line) ? aNewSite : undefined
    for (const origin of [app, "http://localhost:5173"]) {
      const { headers, status } = await caller(binding(), member().key)(line, {
        body: expected === 404 && body !== undefined ? {} : body,
        headers: { origin }
      })
      expect([status, headers.get("access-control-allow-origin"), headers.get("vary")]).toEqual([
        expected,
        origin,
        "Origin"
      ])
      expect(headers.get("access-control-expose-headers")).toBe(
        "ETag, Location, Retry-After, X-Request-Id, RateLimit, RateLimit-Policy, Idempotency-Replayed, Link, Content-Disposition"
      )
    }
    expect((await caller(binding(), null)(line, { body, headers: { origin: app } })).headers.has("vary")).toBe(true)
  })

  it.each(["https://app.example.com.evil.example", "http://app.example.com", "https://app.example.com:444", "null"])(
    "have no use of it when nobody has named %s",
    async (origin) => {
      const answers = [await preflight("/api/sites", origin), await caller(binding(), member().key)("GET /api/sites")]
      expect(answers.map(({ headers }) => corsHeaders(headers))).toEqual([["vary"], ["vary"]])
      expect(answers.map(({ status }) => status)).toEqual([204, 200])
    }
  )

  it("get the methods of a path without a preflight, like every client", async () => {
    const { headers } = await preflight("/api/sites", app, false)
    expect(headers.get("allow")).toBe("GET, HEAD, POST, OPTIONS")
    expect(headers.has("access-control-allow-methods")).toBe(false)
  })

  it("are not allowed unless the host lists them", async () => {
    for (const options of [{}, { corsOrigins: [] }]) {
      const without = await bind(setup().ports, options)
      const headers = { origin: app, "access-control-request-method": "GET" }
      for (const line of ["OPTIONS /api/sites", "GET /api/sites", "GET /nowhere"]) {
        expect(corsHeaders((await caller(without, member().key)(line, { headers })).headers)).toEqual([])
      }
      await without.close()
    }
  })

  it.each(["*", "https://*.example.com", "https://app.example.com/", "app.example.com", "null", "HTTPS://x.example"])(
    "cannot be named %s",
    (origin) => expect(() => webBinding(setup().ports, { corsOrigins: [origin] })).toThrow("corsOrigins")
  )
})

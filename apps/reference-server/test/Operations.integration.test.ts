import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { type AnyDatabase, anyDatabase } from "./AnyDatabase.ts"
import { clientOf } from "./Client.ts"
import { documentedLogFields, documentedMetrics, exampleLine, metricsInSources, readMetrics } from "./OperationsPage.ts"
import { otlpReceiver } from "./OtlpReceiver.ts"
import { deadRedis } from "./ServiceProxy.ts"
import { type Server, serve, stop, temporaryFolder } from "./SolarSitesProcess.ts"

const limit = 20
const origin = "https://app.example.com"
// Generated at run time, so that no token is in the repository.
const token = crypto.randomUUID()

describe("a monitored server", () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let database: AnyDatabase
  let apiKey: string
  let server: Server
  let siteId: string

  const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    fetch(`${server.address}${path}`, { headers })
  const metrics = async (headers = { authorization: `Bearer ${token}` }) => await get("/metrics", headers)

  beforeAll(async () => {
    folder = await temporaryFolder()
    database = await anyDatabase(folder.path)
    apiKey = database.apiKey
    server = await serve({
      ...database.variables,
      REDIS_URL: deadRedis,
      RATE_LIMIT_PER_MINUTE: `${limit}`,
      CORS_ORIGINS: `https://other.example.com,${origin}`,
      TRUSTED_PROXIES: "127.0.0.0/8",
      METRICS_TOKEN: token
    })
    siteId = await clientOf(server.address, apiKey).createSite()
  })

  afterAll(async () => {
    await stop(server)
    await database.drop()
    await folder[Symbol.asyncDispose]()
  })

  it("reports that Redis is down, and is ready", async () => {
    const checks = { database: "up", storage: "up", redis: "down" }
    expect(await clientOf(server.address, "").readiness()).toEqual({ status: "up", checks })
  })

  it("allows pages of configured origins to call API and storage, and no others", async () => {
    for (const path of ["/api/me", "/storage/nothing"]) {
      expect((await get(path, { origin })).headers.get("access-control-allow-origin")).toBe(origin)
      const other = await get(path, { origin: "https://else.example.com" })
      expect(other.headers.get("access-control-allow-origin")).toBeNull()
    }
  })

  it("counts failed authentications by the address from a trusted proxy", async () => {
    const statusOf = async (address: string) =>
      (await get("/api/me", { "x-forwarded-for": address, "x-api-key": "wrong" })).status
    const began = performance.now()
    const statuses: Array<number> = []
    // Five more failures are allowed every second: a slow machine needs more attempts.
    while (!statuses.includes(429)) {
      statuses.push(...(await Promise.all(Array.from({ length: 40 }, () => statusOf("192.0.2.1")))))
    }
    expect(new Set(statuses)).toEqual(new Set([401, 429]))
    const failures = statuses.filter((status) => status === 401).length
    expect(failures).toBeGreaterThanOrEqual(300)
    expect(failures).toBeLessThanOrEqual(300 + Math.ceil((performance.now() - began) / 200))
    expect(await statusOf("192.0.2.2")).toBe(401)
  })

  it("applies the configured limit to a key", async () => {
    const statuses = await Promise.all(
      Array.from({ length: 2 * limit }, async () => (await get("/api/me", { "x-api-key": apiKey })).status)
    )
    expect(new Set(statuses)).toEqual(new Set([200, 429]))
  })

  it("serves the documented metrics with the token, and nothing without it", async () => {
    await get(`/api/sites/${siteId}?limit=1`, { "x-api-key": apiKey })
    expect((await metrics({ authorization: "Bearer wrong" })).status).toBe(404)
    expect((await get("/metrics")).status).toBe(404)
    const text = await (await metrics()).text()
    const shown = readMetrics(text)
    const { always, later } = documentedMetrics
    const namesOf = (all: typeof shown) => all.map(({ name }) => name)
    const once = namesOf(later)
    expect(shown.filter(({ name }) => !once.includes(name))).toEqual(expect.arrayContaining([...always]))
    for (const metric of shown) expect([...always, ...later]).toContainEqual(metric)
    expect([...namesOf(always), ...once].toSorted()).toEqual([...new Set(metricsInSources())].toSorted())
    for (const secret of [apiKey, token, siteId, "limit=1"]) expect(text).not.toContain(secret)
  })

  it("logs each request with the documented fields, and no secret", async () => {
    await get(`/api/sites?siteId=${siteId}`, { "x-api-key": apiKey })
    // The line may arrive after the response; the last one may be incomplete.
    const request = await vi.waitFor(() => {
      const lines = server.logged().split("\n").slice(0, -1)
      const found = lines
        .map((line) => JSON.parse(line))
        .findLast(({ annotations }) => annotations.route === "/api/sites")
      if (found === undefined) throw new Error("the request is not logged")
      return found
    }, 100_000)
    expect(Object.keys(request)).toEqual(Object.keys(exampleLine))
    expect(Object.keys(request.annotations)).toEqual(Object.keys(exampleLine.annotations))
    const { annotations, ...members } = exampleLine
    const fields = [...Object.keys(members), ...Object.keys(annotations).map((name) => `annotations.${name}`)]
    expect(documentedLogFields).toEqual(fields)
    for (const secret of [apiKey, token, `siteId=${siteId}`]) expect(server.logged()).not.toContain(secret)
  })

  // Retried: a stopping server gives the last export one second, and a busy machine may need more.
  it("exports traces and metrics, the last ones at its shutdown, without secrets", {
    retry: 2
  }, async () => {
    const collector = await otlpReceiver()
    const traced = await serve({ ...(await database.beside()), OTEL_EXPORTER_OTLP_ENDPOINT: collector.url })
    const client = clientOf(traced.address, apiKey)
    const site = await client.createSite()
    await client.call("GET", `/api/sites?siteId=${site}`)
    expect((await stop(traced)).code).toBe(0)
    collector.close()
    const [traces, measured] = [collector.received("/v1/traces"), collector.received("/v1/metrics")]
    for (const word of ["solar-sites", "POST /api/sites", "Sites.create", "http.route"]) expect(traces).toContain(word)
    for (const word of ["solar-sites", "solar_sites_http_requests", "/api/sites"]) expect(measured).toContain(word)
    for (const secret of [apiKey, `siteId=${site}`]) expect(`${traces}${measured}`).not.toContain(secret)
  })
})

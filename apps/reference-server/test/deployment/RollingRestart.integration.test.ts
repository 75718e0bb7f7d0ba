import { Agent, type IncomingMessage, request } from "node:http"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { setTimeout } from "node:timers/promises"
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest"
import { freePort } from "../../../../scripts/freePort.ts"
import { ownSchemas, withoutPostgres } from "../ExternalDatabase.ts"
import { operator } from "../Operator.ts"
import { redisProxy, type ServiceProxy, withoutRedis } from "../ServiceProxy.ts"
import { type Server, serve, stop, temporaryFolder, type Variables } from "../SolarSitesProcess.ts"
import { startHaproxy, withoutHaproxy } from "./Haproxy.ts"

const clients = 6
/** Between two requests of a client, so that the load leaves time to the servers that start. */
const pauseMillis = 15
const schemas = ownSchemas()
const site = { siteName: "Rolling", capacity: 1, unit: "kW" }

describe.skipIf(withoutPostgres || withoutRedis || withoutHaproxy)("two servers behind the proxy of the recipe", () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let redis: ServiceProxy
  let proxy: Awaited<ReturnType<typeof startHaproxy>>
  let variables: Variables
  let ports: readonly [number, number]
  let servers: Array<Server> = []
  let key: string
  let areStopped = true
  const agent = new Agent({ keepAlive: true, maxSockets: clients })

  const serveOn = (port: number) => serve({ ...variables, PORT: `${port}` }, ["--migrate"])

  beforeAll(async () => {
    folder = await temporaryFolder()
    redis = await redisProxy()
    variables = {
      ...schemas.next(),
      DATA_DIR: join(folder.path, "data"),
      REDIS_URL: redis.url,
      RATE_LIMIT_PER_MINUTE: "0",
      TRUSTED_PROXIES: "127.0.0.1"
    }
    ports = [await freePort(), await freePort()]
    proxy = await startHaproxy(await freePort(), ports, folder.path)
    const by = operator(variables, "apply")
    key = (await by.createKey(await by.createOrganisation())).key
    await by.close()
  })

  beforeEach(async () => {
    if (!areStopped) return
    servers = await Promise.all(ports.map(serveOn))
    areStopped = false
    await Promise.all([proxy.untilUsed(1), proxy.untilUsed(2)])
  })

  afterAll(async () => {
    agent.destroy()
    await Promise.all(servers.map(stop))
    await proxy.stop()
    await redis.stop()
    await schemas.drop()
    await folder[Symbol.asyncDispose]()
  })

  const send = async (method: "GET" | "POST", path: string, body?: unknown, more: Variables = {}) => {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const headers = { "x-api-key": key, "content-type": "application/json", ...more }
      request(`${proxy.address}${path}`, { method, agent, headers })
        .once("response", resolve)
        .once("error", reject)
        .end(body === undefined ? undefined : JSON.stringify(body))
    })
    return { status: response.statusCode, body: JSON.parse(await text(response)) }
  }

  it("lose no request, read or written, while each server restarts in turn", async () => {
    const siteCount = async (): Promise<number> => (await send("GET", "/api/sites")).body.data.length
    const sitesBefore = await siteCount()
    const statuses: Array<number | string | undefined> = []
    let created = 0
    let running = true
    const client = async (number: number) => {
      for (let turn = number; running; turn++) {
        const sent = turn % 2 === 0 ? send("POST", "/api/sites", site) : send("GET", "/api/me")
        const status = await sent.then(({ status }) => status, String)
        statuses.push(status)
        if (status === 201) created += 1
        await setTimeout(pauseMillis)
      }
    }
    const load = Promise.all(Array.from({ length: clients }, (_, number) => client(number)))
    for (const [index, server] of servers.entries()) {
      const before = statuses.length
      await vi.waitFor(() => expect(statuses.length).toBeGreaterThan(before + 100), 100_000)
      await proxy.setState(index + 1, "drain")
      expect((await stop(server)).code).toBe(0)
      servers[index] = await serveOn(Number(new URL(server.address).port))
      await proxy.setState(index + 1, "ready")
      await proxy.untilUsed(index + 1)
    }
    running = false
    await load
    expect(statuses.filter((status) => status !== 200 && status !== 201)).toEqual([])
    expect(await siteCount()).toBe(sitesBefore + created)
  })

  it("hand out upload addresses of the proxy, whatever hosts a client names, and take large files by them", async () => {
    const { body: created } = await send("POST", "/api/sites", site)
    const files = [{ filename: "large.pdf", mimeType: "application/pdf" }]
    const issue = { siteId: created.id, fileType: "documents", files }
    const { body } = await send("POST", "/api/docs/bulk-upload-url", issue, { "x-forwarded-host": "elsewhere.example" })
    const { headers, url } = body.results[0].uploadUrl
    expect(url).toMatch(new RegExp(`^${proxy.address}/`))
    const { status } = await fetch(url, { method: "PUT", headers, body: new Uint8Array(20_000_000) })
    expect(status).toBe(201)
  })

  it("are missed with a problem document when none is ready", async () => {
    areStopped = true
    await Promise.all(servers.map(stop))
    await vi.waitFor(async () => expect((await send("GET", "/api/me")).status).toBe(503), 100_000)
    const { body } = await send("GET", "/api/me")
    expect(body).toMatchObject({ status: 503, code: "overloaded", requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) })
  })
})

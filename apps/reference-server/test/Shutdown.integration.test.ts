import { once } from "node:events"
import { type IncomingMessage, request } from "node:http"
import { json } from "node:stream/consumers"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { run, type Server, serve, stop, temporaryFolder } from "./SolarSitesProcess.ts"

const site = JSON.stringify({ siteName: "Slow", capacity: 1, unit: "kW" })

describe("shutdown", { timeout: 60_000 }, () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let apiKey: string

  beforeAll(async () => {
    folder = await temporaryFolder()
    const server = await serve({ DATA_DIR: folder.path })
    apiKey = (await server.prints(/sk_live_[\w-]+/))[0]
    await stop(server)
  }, 120_000)

  afterAll(() => folder[Symbol.asyncDispose]())

  /** A request whose body the server waits for; it said so with its 100. */
  const slowRequest = async ({ address }: Server) => {
    const pending = request(`${address}/api/sites`, {
      method: "POST",
      headers: {
        "x-api-key": apiKey,
        "content-type": "application/json",
        "content-length": site.length,
        expect: "100-continue"
      }
    })
    const response = new Promise<IncomingMessage>((resolve, reject) => {
      pending.once("response", resolve).once("error", reject)
    })
    pending.flushHeaders()
    await once(pending, "continue")
    return { pending, response }
  }

  const untilRefused = ({ address }: Server) =>
    vi.waitFor(() => expect(fetch(`${address}/health/live`)).rejects.toThrow(), { timeout: 10_000, interval: 20 })

  it.each(["SIGTERM", "SIGINT"] as const)("finishes at %s what is in flight, then exits with 0", async (signal) => {
    const server = await serve({ DATA_DIR: folder.path })
    expect((await fetch(`${server.address}/health/ready`)).status).toBe(200)
    const { pending, response } = await slowRequest(server)
    server.kill(signal)
    await untilRefused(server)
    pending.end(site)
    const answer = await response
    expect(answer.statusCode).toBe(201)
    expect(await json(answer)).toMatchObject({ siteName: "Slow" })
    expect(await server.finished).toMatchObject({ code: 0, signal: null })
  })

  it("ends at once at a second signal", async () => {
    const server = await serve({ DATA_DIR: folder.path })
    const { pending, response } = await slowRequest(server)
    const cut = expect(response).rejects.toThrow()
    server.kill("SIGTERM")
    await untilRefused(server)
    server.kill("SIGTERM")
    expect((await server.finished).code).toBe(143)
    await cut
    pending.destroy()
  })

  it("writes down when a key was last used", async () => {
    const server = await serve({ DATA_DIR: folder.path })
    const response = await fetch(`${server.address}/api/me`, { headers: { "x-api-key": apiKey } })
    const { organisation } = JSON.parse(await response.text())
    const before = Date.now()
    await stop(server)
    const { stdout } = await run(["api-keys", "list", "--organisation", organisation.id, "--json"], {
      DATA_DIR: folder.path
    })
    const [{ lastUsedAt }] = JSON.parse(stdout).data
    expect(Math.abs(Date.parse(lastUsedAt) - before)).toBeLessThan(60_000)
  })
})

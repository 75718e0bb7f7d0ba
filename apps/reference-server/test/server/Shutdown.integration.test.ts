import { once } from "node:events"
import { type IncomingMessage, request } from "node:http"
import { join } from "node:path"
import { json } from "node:stream/consumers"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { type AnyDatabase, anyDatabase } from "../AnyDatabase.ts"
import { clientOf } from "../Client.ts"
import { runJson } from "../CommandInProcess.ts"
import { migratedAt } from "../Prepared.ts"
import { type Server, serve, stop, temporaryFolder } from "../SolarSitesProcess.ts"

const site = JSON.stringify({ siteName: "Slow", capacity: 1, unit: "kW" })

describe("a server after a signal", () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let database: AnyDatabase

  beforeAll(async () => {
    folder = await temporaryFolder()
    database = await anyDatabase(folder.path)
  })

  afterAll(async () => {
    await database.drop()
    await folder[Symbol.asyncDispose]()
  })

  /** A request whose body the server awaits, after its 100. */
  const slowRequest = async ({ address }: Server) => {
    const pending = request(`${address}/api/sites`, {
      method: "POST",
      headers: {
        "x-api-key": database.apiKey,
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

  // Without `expect`: of tests that run at once, a failed attempt would fail the one that started last.
  const untilRefused = ({ address }: Server) => {
    const refused = () =>
      fetch(`${address}/health/live`).then(
        () => Promise.reject(new Error(`${address} still answers`)),
        () => {}
      )
    return vi.waitFor(refused, { timeout: 100_000, interval: 20 })
  }

  /** An incomplete upload that the server has begun to read. */
  const slowUpload = async (server: Server, apiKey: string) => {
    const client = clientOf(server.address, apiKey)
    const { documentId, uploadUrl } = await client.issueOne(await client.createSite())
    const pending = request(uploadUrl.url, {
      method: "PUT",
      headers: { ...uploadUrl.headers, "content-length": 10, expect: "100-continue" }
    })
    const response = new Promise<IncomingMessage>((resolve, reject) => {
      pending.once("response", resolve).once("error", reject)
    })
    pending.flushHeaders()
    await once(pending, "continue")
    pending.write("first")
    return { documentId, pending, response }
  }

  it.each(["SIGTERM", "SIGINT"] as const)("finishes requests in flight after %s, then exits with 0", async (signal) => {
    const server = await serve(database.variables)
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
    const server = await serve(database.variables)
    const { pending, response } = await slowRequest(server)
    const cut = response.then(
      () => "answered",
      () => "cut off"
    )
    server.kill("SIGTERM")
    await untilRefused(server)
    server.kill("SIGTERM")
    expect((await server.finished).code).toBe(143)
    expect(await cut).toBe("cut off")
    pending.destroy()
  })

  // Concurrent, since they wait for the timeout of draining.
  // Retried: on a busy machine the shutdown may exceed 9.5 s, at which the process ends itself.
  it.concurrent("cuts off requests that do not finish, and exits with 0", { retry: 2 }, async () => {
    const server = await serve(database.variables)
    const { response } = await slowRequest(server)
    const cut = response.then(
      () => "answered",
      () => "cut off"
    )
    const { code, stderr } = await stop(server)
    expect(await cut).toBe("cut off")
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringContaining("took longer than 9.5 s") })
  })

  it.concurrent("finishes an upload, and stores its arrival and the last use of the key", async () => {
    const { apiKey, drop, variables } = await anyDatabase(join(folder.path, "upload"))
    const server = await serve(variables)
    const { documentId, pending, response } = await slowUpload(server, apiKey)
    const { organisation } = (await clientOf(server.address, apiKey).call("GET", "/api/me")).body
    server.kill("SIGTERM")
    await untilRefused(server)
    pending.end("later")
    const answer = (await response).resume()
    expect(answer.statusCode).toBe(201)
    expect((await server.finished).code).toBe(0)
    const list = ["api-keys", "list", "--organisation", organisation.id]
    const { data } = Object(await runJson(list, variables))
    expect(Date.parse(data[0].lastUsedAt)).toBeGreaterThanOrEqual(Date.parse(data[0].createdAt))
    const restarted = await serve(variables)
    expect(await clientOf(restarted.address, apiKey).statusOf(documentId)).toBe("uploaded")
    await stop(restarted)
    await drop()
  })

  it.concurrent("adds no demo data to a database in which a command has created an organisation", async () => {
    const variables = await migratedAt(join(folder.path, "migrated"))
    await runJson(["organisations", "create", "--name", "Ours"], variables)
    const server = await serve(variables)
    expect((await stop(server)).stdout).toMatch(/^Solar Sites listens on \S+\nAPI reference: \S+\n$/)
  })
})

import { once } from "node:events"
import { type IncomingMessage, request } from "node:http"
import { join } from "node:path"
import { json } from "node:stream/consumers"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { clientOf } from "../Client.ts"
import { runJson, type Server, serve, stop, temporaryFolder, type Variables } from "../SolarSitesProcess.ts"

const site = JSON.stringify({ siteName: "Slow", capacity: 1, unit: "kW" })

describe("a server whose database a command has made", { timeout: 60_000 }, () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let variables: Variables
  let organisation: string
  let apiKey: string

  beforeAll(async () => {
    folder = await temporaryFolder()
    variables = { DATA_DIR: join(folder.path, "not", "there", "yet") }
    organisation = Object(await runJson(["organisations", "create", "--name", "Ours"], variables)).id
    const create = ["api-keys", "create", "--organisation", organisation, "--name", "Ours"]
    apiKey = Object(await runJson(create, variables)).key
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

  /** An upload that the server has begun to read, and that is not whole yet. */
  const slowUpload = async (server: Server) => {
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

  it.each(["SIGTERM", "SIGINT"] as const)("finishes at %s what is in flight, then exits with 0", async (signal) => {
    const server = await serve(variables)
    expect((await fetch(`${server.address}/health/ready`)).status).toBe(200)
    const { pending, response } = await slowRequest(server)
    server.kill(signal)
    await untilRefused(server)
    pending.end(site)
    const answer = await response
    expect(answer.statusCode).toBe(201)
    expect(await json(answer)).toMatchObject({ siteName: "Slow" })
    const { code, stdout } = await server.finished
    // No demo data: there was an organisation before the first server came.
    expect({ code, stdout }).toEqual({ code: 0, stdout: `Solar Sites listens on ${server.address}\n` })
  })

  it("ends at once at a second signal", async () => {
    const server = await serve(variables)
    const { pending, response } = await slowRequest(server)
    const cut = expect(response).rejects.toThrow()
    server.kill("SIGTERM")
    await untilRefused(server)
    server.kill("SIGTERM")
    expect((await server.finished).code).toBe(143)
    await cut
    pending.destroy()
  })

  it("cuts off what does not finish, and exits with 0 all the same", async () => {
    const server = await serve(variables)
    const { response } = await slowRequest(server)
    const cut = expect(response).rejects.toThrow()
    const { code, stderr } = await stop(server)
    await cut
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringContaining("did not come to an end") })
  })

  it("finishes an upload too, and writes down what has arrived and when a key was last used", async () => {
    const server = await serve(variables)
    const { documentId, pending, response } = await slowUpload(server)
    server.kill("SIGTERM")
    await untilRefused(server)
    pending.end("later")
    const answer = (await response).resume()
    expect(answer.statusCode).toBe(201)
    expect((await server.finished).code).toBe(0)
    const { data } = Object(await runJson(["api-keys", "list", "--organisation", organisation], variables))
    expect(Date.parse(data[0].lastUsedAt)).toBeGreaterThanOrEqual(Date.parse(data[0].createdAt))
    const restarted = await serve(variables)
    expect(await clientOf(restarted.address, apiKey).statusOf(documentId)).toBe("uploaded")
    await stop(restarted)
  })
})

import { connect } from "node:net"
import { text } from "node:stream/consumers"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { type AnyDatabase, anyDatabase } from "../AnyDatabase.ts"
import { clientOf, send } from "../Client.ts"
import { serve } from "../ServerInProcess.ts"
import { temporaryFolder, type Variables } from "../SolarSitesProcess.ts"

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

const serveWith = async (variables: Variables) => {
  const server = await serve({ ...database.variables, ...variables })
  return { server, port: Number(new URL(server.address).port) }
}

/** Response to an HTTP/1.0 request without a host. */
const askWithoutHost = async (host: string, port: number, path: string): Promise<string> => {
  const socket = connect(port, host)
  socket.write(`GET ${path} HTTP/1.0\r\nx-api-key: ${database.apiKey}\r\n\r\n`)
  return await text(socket)
}

describe("a server on all addresses of the machine", () => {
  it.each([
    ["0.0.0.0", "127.0.0.1", ["127.0.0.1", "localhost"]],
    ["::", "[::1]", ["127.0.0.1", "localhost", "[::1]"]]
  ])("issues addresses that reach it: HOST=%s", async (HOST, loopback, names) => {
    const { port, server } = await serveWith({ HOST })
    await vi.waitFor(
      () => expect(server.printed()).toContain(`\nAPI reference: http://${loopback}:${port}/docs\n`),
      100_000
    )
    const client = clientOf(`http://${names[0]}:${port}`, database.apiKey)
    const siteId = await client.createSite()
    for (const name of names) {
      const { documentId, uploadUrl } = await clientOf(`http://${name}:${port}`, database.apiKey).issueOne(siteId)
      expect(new URL(uploadUrl.url).host).toBe(`${name}:${port}`)
      expect((await send(uploadUrl, new Uint8Array([1]))).status).toBe(201)
      const answer = await askWithoutHost("127.0.0.1", port, `/api/docs/${documentId}/download-url`)
      expect(answer).toContain(`"url":"http://${loopback}:${port}/storage/`)
    }
    await server.stop()
  })
})

it("PUBLIC_URL is the base of addresses, also for requests under another name", async () => {
  const { port, server } = await serveWith({ PUBLIC_URL: "https://solar.example.com" })
  await vi.waitFor(
    () => expect(server.printed()).toMatch(/^API reference: https:\/\/solar\.example\.com\/docs$/m),
    100_000
  )
  const client = clientOf(`http://localhost:${port}`, database.apiKey)
  const { uploadUrl } = await client.issueOne(await client.createSite())
  expect(new URL(uploadUrl.url).origin).toBe("https://solar.example.com")
  await server.stop()
})

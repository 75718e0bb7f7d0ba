import { connect } from "node:net"
import { expect, it } from "vitest"
import { anyDatabase } from "./AnyDatabase.ts"
import { clientOf, send } from "./Client.ts"
import { type Server, serve, stop, temporaryFolder } from "./SolarSitesProcess.ts"

// More than one page of the repository, so that lists are streamed.
const siteCount = 1_100
// A long one, so that few responses fill the socket buffers.
const address = "Long Meadow Farm, ".repeat(27)
const bulkLimit = 1_000
const fileBytes = 20_000_000

/** Creates sites and a document; resolves with the path of its download. */
const fill = async (server: Server, key: string): Promise<string> => {
  const { call, issueOne } = clientOf(server.address, key)
  const { body: portfolios } = await call("POST", "/api/portfolios", { portfolios: [{ name: "All" }] })
  const create = { siteName: "Long Meadow", address, capacity: 1, unit: "MWp", portfolioId: portfolios.data[0].id }
  const { body: site } = await call("POST", "/api/sites", create)
  for (const length of [bulkLimit, siteCount - bulkLimit]) {
    const { status } = await call("POST", "/api/sites/bulk", { sites: Array.from({ length }, () => create) })
    expect(status).toBe(200)
  }
  const { documentId, uploadUrl } = await issueOne(site.id)
  expect((await send(uploadUrl, new Uint8Array(fileBytes))).status).toBe(201)
  const { pathname, search } = new URL((await call("GET", `/api/docs/${documentId}/download-url`)).body.url)
  return pathname + search
}

/**
 * Requests the path and reads nothing, until the server ends the connection. Five responses of a
 * list almost fill the socket buffers; more requests at once would be refused, with small responses.
 * A further one every second fills the rest, and lets the paused socket notice the end.
 */
const requestUnread = async (server: Server, key: string, path: string): Promise<string> => {
  const socket = connect(Number(new URL(server.address).port), "127.0.0.1").on("error", () => {})
  socket.pause()
  const request = `GET ${path} HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\n\r\n`
  socket.write(request.repeat(5))
  const writing = setInterval(() => socket.write(request), 1_000)
  await new Promise((resolve) => socket.once("close", resolve))
  clearInterval(writing)
  return "ended"
}

it("responses that are not read are ended after 30 s: lists, documentation and files", async ({ onTestFinished }) => {
  await using folder = await temporaryFolder()
  const database = await anyDatabase(folder.path)
  onTestFinished(database.drop)
  const server = await serve({ ...database.variables, RATE_LIMIT_PER_MINUTE: "0" })
  onTestFinished(() => server.kill("SIGKILL"))
  const download = await fill(server, database.apiKey)
  // `http-node` shows it of each kind of response, with a shorter timeout.
  const paths = ["/api/sites", "/docs", download]
  const outcomes = await Promise.all(paths.map((path) => requestUnread(server, database.apiKey, path)))
  expect(outcomes).toEqual(paths.map(() => "ended"))
  await stop(server)
})

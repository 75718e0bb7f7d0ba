import { connect } from "node:net"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { clientOf, send } from "./Client.ts"
import { runJson } from "./CommandInProcess.ts"
import { ownSchemas, withoutPostgres } from "./ExternalDatabase.ts"
import { copyTo, prepared } from "./Prepared.ts"
import { type Server, serve, stop, temporaryFolder } from "./SolarSitesProcess.ts"

// More than one page of the repository, so that lists are streamed.
const siteCount = 1_100
// A long one, so that few responses fill the socket buffers.
const address = "Long Meadow Farm, ".repeat(27)
const bulkLimit = 1_000
const fileBytes = 20_000_000

const schemas = ownSchemas()

const onEmbedded = async (path: string) => {
  const { apiKey } = await prepared()
  const variables = await copyTo(join(path, "data"))
  return { server: await serve({ ...variables, RATE_LIMIT_PER_MINUTE: "0" }), key: apiKey }
}

const onPostgres = async (path: string) => {
  const variables = { ...schemas.next(), DATA_DIR: path, RATE_LIMIT_PER_MINUTE: "0" }
  const server = await serve(variables, ["--migrate"])
  const { id } = Object(await runJson(["organisations", "create", "--name", "Unread"], variables))
  const { key } = Object(await runJson(["api-keys", "create", "--organisation", id, "--name", "Unread"], variables))
  return { server, key }
}

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

afterAll(() => schemas.drop())

// Concurrent, since each waits 30 s for the timeout of the server.
describe.concurrent.each([
  ["the embedded database", onEmbedded, false],
  ["a Postgres server", onPostgres, withoutPostgres]
] as const)("responses that are not read, on %s", (_, start, isSkipped) => {
  it.skipIf(isSkipped)("are ended after 30 s: lists, documentation and files", async ({ onTestFinished }) => {
    await using folder = await temporaryFolder()
    const { key, server } = await start(folder.path)
    onTestFinished(() => server.kill("SIGKILL"))
    const download = await fill(server, key)
    const paths = ["/api/sites", "/api/sites?limit=1000", "/api/portfolios/with-sites", "/docs", download]
    const outcomes = await Promise.all(paths.map((path) => requestUnread(server, key, path)))
    expect(outcomes).toEqual(paths.map(() => "ended"))
    await stop(server)
  })
})

import { connect, type Socket } from "node:net"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { clientOf, send } from "./Client.ts"
import { ownSchemas, withoutPostgres } from "./ExternalDatabase.ts"
import { copyTo, prepared } from "./Prepared.ts"
import { runJson, type Server, serve, stop, temporaryFolder } from "./SolarSitesProcess.ts"

// More than one page, so that lists are streamed.
const siteCount = 1_100
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

/** Fills the server, and gives the path of a download. */
const fill = async (server: Server, key: string): Promise<string> => {
  const { call, issueOne } = clientOf(server.address, key)
  const { body: portfolios } = await call("POST", "/api/portfolios", { portfolios: [{ name: "All" }] })
  const create = { siteName: "Long Meadow", capacity: 1, unit: "MWp", portfolioId: portfolios.data[0].id }
  const { body: site } = await call("POST", "/api/sites", create)
  // Not more at once than the server takes.
  for (let left = siteCount; left > 0; left -= 50) {
    const created = await Promise.all(Array.from({ length: 50 }, () => call("POST", "/api/sites", create)))
    expect(created.every(({ status }) => status === 201)).toBe(true)
  }
  const { documentId, uploadUrl } = await issueOne(site.id)
  expect((await send(uploadUrl, new Uint8Array(fileBytes))).status).toBe(201)
  const { pathname, search } = new URL((await call("GET", `/api/docs/${documentId}/download-url`)).body.url)
  return pathname + search
}

/** Asks often enough to fill what the system keeps of a connection, and reads nothing. */
const askUnread = (server: Server, key: string, path: string): Socket => {
  const socket = connect(Number(new URL(server.address).port), "127.0.0.1").on("error", () => {})
  socket.pause()
  socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\n\r\n`.repeat(60))
  return socket
}

/** A paused socket hears of the end only by writing. */
const ended = async (socket: Socket): Promise<string> => {
  const writing = setInterval(() => socket.write("\r\n"), 1_000)
  await new Promise((resolve) => socket.once("close", resolve))
  clearInterval(writing)
  return "ended"
}

describe.each([
  ["the embedded database", onEmbedded, false],
  ["a Postgres server", onPostgres, withoutPostgres]
] as const)("answers that are not read, on %s", (_, start, isSkipped) => {
  afterAll(() => schemas.drop())

  it.skipIf(isSkipped)("are ended after half a minute: lists, documentation and files", async () => {
    await using folder = await temporaryFolder()
    const { key, server } = await start(folder.path)
    const download = await fill(server, key)
    const paths = ["/api/sites", "/api/sites?limit=1000", "/api/portfolios/with-sites", "/docs", download]
    const outcomes = await Promise.all(paths.map((path) => ended(askUnread(server, key, path))))
    expect(outcomes).toEqual(paths.map(() => "ended"))
    await stop(server)
  })
})

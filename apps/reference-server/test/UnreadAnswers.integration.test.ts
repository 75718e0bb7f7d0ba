import { connect } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import { expect, it, vi } from "vitest"
import { anyDatabase } from "./AnyDatabase.ts"
import { clientOf, send } from "./Client.ts"
import { type ServerInProcess, serve } from "./ServerInProcess.ts"
import { temporaryFolder } from "./SolarSitesProcess.ts"

// More than one page of the repository, so that lists are streamed.
const siteCount = 1_100
// A long one, so that few responses fill the socket buffers.
const address = "Long Meadow Farm, ".repeat(27)
const bulkLimit = 1_000
const fileBytes = 20_000_000

/** Creates sites and a document; resolves with the path of its download. */
const fill = async (server: ServerInProcess, key: string): Promise<string> => {
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
 * Requests the path and reads nothing. Five responses of a list almost fill the socket buffers; more requests at once
 * would be refused, with small responses. Further ones, by `more`, fill the rest, and let the paused socket notice
 * the end.
 */
const requestUnread = (server: ServerInProcess, key: string, path: string) => {
  const socket = connect(Number(new URL(server.address).port), "127.0.0.1").on("error", () => {})
  socket.pause()
  const request = `GET ${path} HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\n\r\n`
  socket.write(request.repeat(5))
  return { path, more: () => socket.destroyed || socket.write(request), isEnded: () => socket.destroyed }
}

it("responses that are not read are ended after 30 s: lists, documentation and files", async ({ onTestFinished }) => {
  await using folder = await temporaryFolder()
  const database = await anyDatabase(folder.path)
  onTestFinished(database.drop)
  // The clock by which unread responses are watched. Timeouts of everything else are real.
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] })
  onTestFinished(() => void vi.useRealTimers())
  const server = await serve({ ...database.variables, RATE_LIMIT_PER_MINUTE: "0" })
  onTestFinished(() => {
    vi.useRealTimers()
    return server.stop()
  })
  const download = await fill(server, database.apiKey)
  // `http-node` shows it of each kind of response, with a shorter timeout.
  const paths = ["/api/sites", "/docs", download]
  const unread = paths.map((path) => requestUnread(server, database.apiKey, path))
  const goOn = async () => {
    for (const { more } of unread) more()
    // Long enough for a step of a response that does not wait for its reader.
    await sleep(50)
  }
  // The socket buffers fill while the clock stands.
  for (let times = 0; times < 20; times += 1) await goOn()
  const endedAt = new Map<string, number>()
  for (let seconds = 0; endedAt.size < paths.length; seconds += 1) {
    expect(seconds).toBeLessThan(60)
    for (const { isEnded, path } of unread) if (isEnded() && !endedAt.has(path)) endedAt.set(path, seconds)
    vi.advanceTimersByTime(1_000)
    await goOn()
  }
  expect(Math.min(...endedAt.values())).toBeGreaterThan(29)
})

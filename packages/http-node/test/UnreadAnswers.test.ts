import { createServer, type Server } from "node:http"
import { connect, type Socket } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import { CurrentCaller, Portfolios, Sites } from "@solar-sites/core"
import { Effect } from "effect"
import { afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest"
import { endUnreadAnswers, type HttpOptions, toNodeListener } from "../src/index.ts"
import { useMember } from "./Serving.ts"
import { closed, listening, type Member } from "./Setup.ts"

// More than one page of the repository, so that lists are streamed.
const count = 1_100
// Long texts: a few responses then fill the socket buffers, and cost a fraction of the processor time.
const address = "Long Meadow Farm, ".repeat(27)

const fill = ({ caller }: Member) =>
  Effect.gen(function* () {
    const sites = yield* Sites
    const [portfolio] = yield* (yield* Portfolios).createMany([{ name: "All" }])
    for (let index = 0; index < count; index += 1) {
      const portfolioId = portfolio?.id ?? null
      yield* sites.create({ siteName: `Site ${index}`, address, capacity: 1, unit: "kW", portfolioId })
    }
  }).pipe(Effect.provideService(CurrentCaller, caller))

const { member, setup } = useMember()
beforeAll(async () => {
  await setup().run(fill(member()))
})

const sockets: Array<Socket> = []
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})

/** Counts the connections of a server. A poll could miss one that is ended soon. */
const connectionsOf = (server: Server) => {
  const count = { accepted: 0, ended: 0 }
  server.on("connection", (socket) => {
    count.accepted += 1
    socket.once("close", () => (count.ended += 1))
  })
  return count
}

const serving = async (options: HttpOptions) => {
  const solar = toNodeListener(setup().ports, { rateLimitPerMinute: 0, ...options })
  const server = createServer(solar.listener)
  onTestFinished(async () => {
    server.closeAllConnections()
    await closed(server)
    await solar.close()
  })
  return { connections: connectionsOf(server), port: await listening(server) }
}

/** Sends these requests on one connection and reads no response. */
const askUnread = (port: number, requests: string): Socket => {
  const socket = connect(port, "127.0.0.1").on("error", () => {})
  socket.pause()
  socket.write(requests)
  sockets.push(socket)
  return socket
}

const get = (path: string, connection = "keep-alive") =>
  `GET ${path} HTTP/1.1\r\nhost: x\r\nx-api-key: ${member().key}\r\nconnection: ${connection}\r\n\r\n`

const waiting = { timeout: 110_000, interval: 20 }

describe("a response that its client does not read", () => {
  it.each(["/api/sites", "/api/sites?limit=1000", "/api/portfolios/with-sites", "/openapi.json", "/docs"])(
    "is ended: GET %s",
    async (path) => {
      const { connections, port } = await serving({ unreadTimeoutSeconds: 0.3 })
      // More than the system keeps for a connection.
      askUnread(port, get(path).repeat(60))
      await vi.waitFor(() => expect(connections).toEqual({ accepted: 1, ended: 1 }), waiting)
    }
  )

  it("is completed when its client reads slowly, although Node sees no progress for long", async () => {
    const { port } = await serving({ unreadTimeoutSeconds: 1.5 })
    const requests = 8
    const socket = askUnread(port, get("/api/sites").repeat(requests - 1) + get("/api/sites", "close"))
    const ended = new Promise((resolve) => socket.once("close", resolve))
    const texts: Array<string> = []
    const reading = setInterval(() => {
      const piece = socket.read(Math.min(socket.readableLength, 65_536)) ?? socket.read(0)
      if (piece !== null) texts.push(piece.toString("latin1"))
    }, 100)
    await Promise.race([ended, sleep(3_000)])
    clearInterval(reading)
    // Twice the timeout is long enough. What is left is read at once.
    socket.on("data", (piece) => texts.push(piece.toString("latin1"))).resume()
    await ended
    expect(texts.join("").match(/"nextCursor":null}/g)).toHaveLength(requests)
  })

  it("is ended early when all of them hold too much memory", async () => {
    const { watch } = endUnreadAnswers({ timeoutMs: 15_000, maximumBytes: 600_000 })
    const body = Buffer.alloc(20_000_000)
    const server = createServer((_, response) => {
      watch(response)
      response.end(body)
    })
    const connections = connectionsOf(server)
    const port = await listening(server)
    onTestFinished(() => {
      server.closeAllConnections()
      return closed(server)
    })
    const asked = Array.from({ length: 5 }, () => askUnread(port, get("/")))
    await vi.waitFor(() => expect(connections).toEqual({ accepted: asked.length, ended: 3 }), waiting)
  })
})

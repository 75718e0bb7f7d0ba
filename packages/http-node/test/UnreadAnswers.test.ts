import { createServer, type Server } from "node:http"
import { connect, type Socket } from "node:net"
import { CurrentCaller, Documents, Portfolios, Sites } from "@solar-sites/core"
import { Effect } from "effect"
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest"
import { endUnreadAnswers, type HttpOptions, toNodeListener } from "../src/index.ts"
import { closed, listening, type Member, makeSetup, type Setup } from "./Setup.ts"

const count = 2_500

const fill = ({ caller }: Member) =>
  Effect.gen(function* () {
    const sites = yield* Sites
    const [portfolio] = yield* (yield* Portfolios).createMany([{ name: "All" }])
    for (let index = 0; index < count; index += 1) {
      yield* sites.create({ siteName: `Site ${index}`, capacity: 1, unit: "kW", portfolioId: portfolio?.id ?? null })
    }
    const [site] = (yield* sites.list({ limit: 1 })).data
    for (let index = 0; site !== undefined && index < count; index += 20) {
      const files = Array.from({ length: 20 }, (_, place) => ({ filename: `${index + place}.pdf`, mimeType: "a/b" }))
      yield* (yield* Documents).issueUploads({ siteId: site.id, fileType: "documents", files })
    }
  }).pipe(Effect.provideService(CurrentCaller, caller))

let setup: Setup
let key: string
beforeAll(async () => {
  setup = await makeSetup()
  const member = await setup.join("Sunfield")
  key = member.key
  await setup.run(fill(member))
})
afterAll(() => setup.close())

const sockets: Array<Socket> = []
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})

const serving = async (options: HttpOptions): Promise<{ readonly server: Server; readonly port: number }> => {
  const solar = toNodeListener(setup.ports, { rateLimitPerMinute: 0, ...options })
  const server = createServer(solar.listener)
  onTestFinished(async () => {
    server.closeAllConnections()
    await closed(server)
    await solar.close()
  })
  return { server, port: await listening(server) }
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
  `GET ${path} HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\nconnection: ${connection}\r\n\r\n`

const connectionsOf = (server: Server) =>
  new Promise<number>((resolve, reject) => {
    server.getConnections((error, number) => (error === null ? resolve(number) : reject(error)))
  })

const waiting = { timeout: 20_000, interval: 20 }

describe("a response that its client does not read", { timeout: 60_000 }, () => {
  it.each(["/api/sites", "/api/sites?limit=1000", "/api/portfolios/with-sites", "/api/docs", "/openapi.json", "/docs"])(
    "is ended: GET %s",
    async (path) => {
      const { port, server } = await serving({ unreadTimeoutSeconds: 0.3 })
      // More than the system keeps for a connection.
      askUnread(port, get(path).repeat(60))
      await vi.waitFor(async () => expect(await connectionsOf(server)).toBe(1), waiting)
      await vi.waitFor(async () => expect(await connectionsOf(server)).toBe(0), waiting)
    }
  )

  it("is completed when its client reads slowly, although Node sees no progress for long", async () => {
    const { port } = await serving({ unreadTimeoutSeconds: 1.5 })
    const requests = 6
    const socket = askUnread(port, get("/api/sites").repeat(requests - 1) + get("/api/sites", "close"))
    const texts: Array<string> = []
    const reading = setInterval(() => {
      const piece = socket.read(Math.min(socket.readableLength, 131_072)) ?? socket.read(0)
      if (piece !== null) texts.push(piece.toString("latin1"))
    }, 150)
    await new Promise((resolve) => socket.once("end", resolve))
    clearInterval(reading)
    expect(texts.join("").match(/"nextCursor":null}/g)).toHaveLength(requests)
  })

  it("is ended early when all of them hold too much memory", async () => {
    const { watch } = endUnreadAnswers({ timeoutMs: 15_000, maximumBytes: 600_000 })
    const body = Buffer.alloc(20_000_000)
    const server = createServer((_, response) => {
      watch(response)
      response.end(body)
    })
    const port = await listening(server)
    onTestFinished(() => {
      server.closeAllConnections()
      return closed(server)
    })
    const asked = Array.from({ length: 5 }, () => askUnread(port, get("/")))
    await vi.waitFor(async () => expect(await connectionsOf(server)).toBe(asked.length), waiting)
    await vi.waitFor(async () => expect(await connectionsOf(server)).toBe(2), waiting)
  })
})

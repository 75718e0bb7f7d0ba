import { createServer, type Server, type ServerOptions } from "node:http"
import { createConnection, type Socket } from "node:net"
import { describe, expect, it } from "vitest"
import { type AccessLine, toNodeListener } from "../src/index.ts"
import { useMember } from "./Serving.ts"
import { aNewSite, closed, listening } from "./Setup.ts"

// What clients tidy up before it is sent, and what only a socket can do: Node judges most of it, and these are the
// answers that the listener relies on.
const { member, setup } = useMember()

interface Serving {
  readonly server: Server
  readonly port: number
  /** The requests that have been served. */
  readonly lines: ReadonlyArray<AccessLine>
}

const serving = async <A>(settings: ServerOptions, use: (serving: Serving) => Promise<A>): Promise<A> => {
  const lines: Array<AccessLine> = []
  const solar = toNodeListener(setup().ports, { onRequest: (line) => lines.push(line) })
  const server = createServer(settings, solar.listener)
  const port = await listening(server)
  return use({ server, port, lines }).finally(async () => {
    await closed(server)
    await solar.close()
  })
}

/** Sends text and gives all that comes back until the server ends the connection. */
const untilClosed = (port: number, send: (socket: Socket) => void): Promise<string> =>
  new Promise((resolve) => {
    let seen = ""
    const socket = createConnection(port, "127.0.0.1", () => send(socket))
    socket.on("data", (chunk) => (seen += chunk))
    // A server that hangs up while we are still writing resets the connection; what it said before counts.
    socket.on("error", () => {})
    socket.on("close", () => resolve(seen))
  })

const body = JSON.stringify(aNewSite)
const head = (...headers: ReadonlyArray<string>) =>
  ["POST /api/sites HTTP/1.1", "host: x", `x-api-key: ${member().key}`, "content-type: application/json", ...headers]
    .map((line) => `${line}\r\n`)
    .join("")

describe("an ambiguous request", () => {
  it.each([
    ["two lengths", () => `${head(`content-length: ${body.length}`, "content-length: 2")}\r\n${body}`],
    [
      "one length twice",
      () => `${head(`content-length: ${body.length}`, `content-length: ${body.length}`)}\r\n${body}`
    ],
    ["a list of lengths", () => `${head(`content-length: ${body.length}, ${body.length}`)}\r\n${body}`],
    ["a negative length", () => `${head("content-length: -1")}\r\n${body}`],
    ["a length with a sign", () => `${head(`content-length: +${body.length}`)}\r\n${body}`],
    ["length and chunked", () => `${head(`content-length: ${body.length}`, "transfer-encoding: chunked")}\r\n${body}`],
    ["chunked, but not at last", () => `${head("transfer-encoding: chunked, identity")}\r\n0\r\n\r\n`],
    ["bare line feeds", () => `${head(`content-length: ${body.length}`)}\r\n${body}`.replaceAll("\r\n", "\n")],
    ["a bare line feed in the middle", () => `${head("x-a: b\nx-c: d", `content-length: ${body.length}`)}\r\n${body}`],
    ["a bare carriage return", () => `${head("x-a: b\rx-c: d", `content-length: ${body.length}`)}\r\n${body}`],
    ["a folded header", () => `${head("x-a: b", " c: d", `content-length: ${body.length}`)}\r\n${body}`],
    ["a space before the colon", () => `${head("x-a : b", `content-length: ${body.length}`)}\r\n${body}`],
    ["NUL in a header", () => `${head("x-a: b\0c", `content-length: ${body.length}`)}\r\n${body}`],
    ["a chunk size that is none", () => `${head("transfer-encoding: chunked")}\r\nzz\r\n${body}\r\n0\r\n\r\n`],
    ["a broken chunk", () => `${head("transfer-encoding: chunked")}\r\n2\r\n${body}\r\n0\r\n\r\n`],
    ["no host", () => `${head(`content-length: ${body.length}`).replace("host: x\r\n", "")}\r\n${body}`]
  ])("is refused and nothing is made of it: %s", async (_, request) => {
    await serving({}, async ({ lines, port }) => {
      const answer = await untilClosed(port, (socket) => socket.write(request()))
      expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
      expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1)
      expect(lines.map(({ status }) => status).filter((status) => status < 400)).toEqual([])
    })
  })

  it("cannot smuggle a second request in its body", async () => {
    await serving({}, async ({ lines, port }) => {
      const smuggled = "GET /health/live HTTP/1.1\r\nhost: x\r\n\r\n"
      const request = `${head("content-length: 3", "transfer-encoding: chunked")}\r\n0\r\n\r\n${smuggled}`
      expect(await untilClosed(port, (socket) => socket.write(request))).toMatch(/^HTTP\/1\.1 400 /)
      expect(lines).toEqual([])
    })
  })
})

describe("a request that is too large or too slow", () => {
  it.each([
    ["one header", () => `x-long: ${"x".repeat(20_000)}\r\n`],
    ["many headers", () => Array.from({ length: 1_000 }, (_, index) => `x-${index}: ${"x".repeat(20)}\r\n`).join("")]
  ])("has too much in its headers: %s", async (_, headers) => {
    await serving({}, async ({ lines, port }) => {
      const answer = await untilClosed(port, (socket) => socket.write(`${head()}${headers()}\r\n`))
      expect(answer).toMatch(/^HTTP\/1\.1 431 /)
      expect(lines).toEqual([])
    })
  })

  it("is refused for a long address", async () => {
    await serving({}, async ({ lines, port }) => {
      const request = `GET /${"x".repeat(20_000)} HTTP/1.1\r\nhost: x\r\n\r\n`
      expect(await untilClosed(port, (socket) => socket.write(request))).toMatch(/^HTTP\/1\.1 431 /)
      expect(lines).toEqual([])
    })
  })

  // Node looks after its limits in intervals; these are those of the server, shortened.
  const hurried = { headersTimeout: 100, requestTimeout: 200, connectionsCheckingInterval: 20 }

  it.each([
    ["nothing at all", () => ""],
    ["half a line", () => "GET /health"],
    ["headers without an end", () => head()]
  ])("ends when its headers do not come: %s", async (_, begun) => {
    await serving(hurried, async ({ lines, port }) => {
      expect(await untilClosed(port, (socket) => socket.write(begun()))).toMatch(/^HTTP\/1\.1 408 |^$/)
      expect(lines).toEqual([])
    })
  })

  it("is ended when its headers never complete", async () => {
    await serving(hurried, async ({ lines, port }) => {
      let dripping: NodeJS.Timeout | undefined
      const answer = await untilClosed(port, (socket) => {
        socket.write(head())
        dripping = setInterval(() => socket.write("x-a: b\r\n"), 5)
      })
      clearInterval(dripping)
      expect(answer).toMatch(/^HTTP\/1\.1 408 /)
      expect(lines).toEqual([])
    })
  })

  it.each([
    ["with a length", "content-length: 1000", "x"],
    ["in chunks", "transfer-encoding: chunked", "1\r\nx\r\n"]
  ])("ends when its body does not: %s", async (_, header, piece) => {
    await serving(hurried, async ({ lines, port }) => {
      let dripping: NodeJS.Timeout | undefined
      const answer = await untilClosed(port, (socket) => {
        socket.write(`${head(header)}\r\n`)
        dripping = setInterval(() => socket.write(piece), 5)
      })
      clearInterval(dripping)
      expect(answer).toMatch(/^HTTP\/1\.1 408 /)
      expect(lines.filter(({ status }) => status < 400)).toEqual([])
    })
  })
})

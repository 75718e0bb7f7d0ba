import { createServer, type Server } from "node:http"
import { connect, type Socket } from "node:net"
import { Deferred, Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { describe, expect, it, onTestFinished, vi } from "vitest"
import { type HttpOptions, toNodeListener } from "../src/index.ts"
import { makeLoadShedding } from "../src/pipeline/LoadShedding.ts"
import { useMember } from "./Serving.ts"
import { closed, listening } from "./Setup.ts"

describe("the maximum of waiting requests", () => {
  it("is the number answered within 0.2 s, and never too small to measure the rate", () => {
    const load = makeLoadShedding()
    let now = 0
    const fill = () => {
      let count = 0
      for (; !load.isFull(now); count += 1) load.enter(now)
      return count
    }
    expect(fill()).toBe(200)
    // Five hundred a second from now on.
    for (let second = 0; second < 400; second += 1) {
      now += 2
      load.leave(now)
      load.enter(now)
    }
    for (let count = 0; count < 200; count += 1) load.leave(now)
    expect(fill()).toBeGreaterThan(75)
    expect(load.isFull(now)).toBe(true)
    // Nothing is answered for a long time.
    for (let count = 0; count < 100; count += 1) {
      now += 100
      load.isFull(now)
    }
    for (; load.isFull(now); ) load.leave(now)
    expect(fill()).toBeLessThanOrEqual(1)
  })

  it("does not fall while there are few requests", () => {
    const load = makeLoadShedding()
    for (let now = 0; now < 100_000; now += 1_000) {
      load.enter(now)
      load.leave(now + 10)
    }
    let count = 0
    for (; !load.isFull(100_000); count += 1) load.enter(100_000)
    expect(count).toBe(200)
  })
})

const { setup } = useMember()

const serving = async (options: HttpOptions): Promise<{ readonly server: Server; readonly port: number }> => {
  const solar = toNodeListener(setup().ports, options)
  const server = createServer(solar.listener)
  onTestFinished(async () => {
    server.closeAllConnections()
    await closed(server)
    await solar.close()
  })
  return { server, port: await listening(server) }
}

/** Sends this, and gives what comes. */
const ask = (port: number, request: string) => {
  let seen = ""
  const socket: Socket = connect(port, "127.0.0.1")
    .on("error", () => {})
    .on("data", (chunk) => {
      seen += chunk
    })
  socket.write(request)
  onTestFinished(() => void socket.destroy())
  return () => seen
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`
const waiting = { timeout: 100_000, interval: 10 }

describe("an overloaded listener", () => {
  it("refuses at once requests that would be answered too late, answers health, and recovers", async () => {
    const release = Deferred.makeUnsafe<void>()
    const { port } = await serving({
      endpoints: [
        {
          method: "GET",
          path: "/held",
          serve: () => Effect.as(Deferred.await(release), HttpServerResponse.text("held"))
        }
      ]
    })
    const count = 500
    const answers = Array.from({ length: count }, () => ask(port, get("/held")))
    await vi.waitFor(() => expect(answers.filter((seen) => seen() !== "").length).toBeGreaterThan(0), waiting)
    for (const path of ["/health/ready", "/health/live"]) {
      const health = ask(port, get(path))
      await vi.waitFor(() => expect(health()).toMatch(/^HTTP\/1\.1 200 /), waiting)
    }
    await Effect.runPromise(Deferred.succeed(release, undefined))
    await vi.waitFor(
      () => expect(answers.every((seen) => /held$|"requestId":"[^"]+"}$/.test(seen()))).toBe(true),
      waiting
    )
    const refused = answers.filter((seen) => !seen().endsWith("held"))
    expect(refused.length).toBeGreaterThan(0)
    expect(refused.length).toBeLessThan(count)
    for (const seen of refused) expect(seen()).toMatch(/^HTTP\/1\.1 503 .*retry-after: 1\r\n.*"code":"overloaded"/s)
    const after = ask(port, get("/held"))
    await vi.waitFor(() => expect(after()).toMatch(/held$/), waiting)
  })

  it("does not count requests that wait for their bodies", async () => {
    const { port, server } = await serving({
      endpoints: [
        {
          method: "POST",
          path: "/read",
          serve: ({ readJson }) => Effect.as(readJson(), HttpServerResponse.empty())
        }
      ]
    })
    const slow = "POST /read HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n1"
    let arrived = 0
    server.on("request", () => {
      arrived += 1
    })
    for (let index = 0; index < 500; index += 1) ask(port, slow)
    await vi.waitFor(() => expect(arrived).toBe(500), waiting)
    const other = ask(port, get("/nothing"))
    await vi.waitFor(() => expect(other()).toMatch(/^HTTP\/1\.1 404 /), waiting)
  })
})

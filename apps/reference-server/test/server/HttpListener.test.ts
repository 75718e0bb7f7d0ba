import { once } from "node:events"
import { Agent, get, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http"
import { connect } from "node:net"
import { text } from "node:stream/consumers"
import { Duration, Effect, Exit, Scope } from "effect"
import { describe, expect, it, vi } from "vitest"
import { type ListenOptions, listen } from "../../src/server/HttpListener.ts"

const open = async (options: Partial<ListenOptions>) => {
  const scope = Scope.makeUnsafe()
  const listener: RequestListener = (_request, response) => response.end("hello")
  const address = await Effect.runPromise(
    listen({ host: "127.0.0.1", port: 0, listener, checkContinue: listener, ...options }).pipe(Scope.provide(scope))
  )
  return { address, close: () => Effect.runPromise(Scope.close(scope, Exit.void)) }
}

const faultOf = async (options: Partial<ListenOptions>) =>
  (
    await Effect.runPromise(
      Effect.flip(
        Effect.scoped(listen({ host: "127.0.0.1", port: 0, listener: () => {}, checkContinue: () => {}, ...options }))
      )
    )
  ).message

const request = (address: string, agent: Agent | false = false) =>
  new Promise<IncomingMessage>((resolve, reject) => get(address, { agent }, resolve).once("error", reject))

/** Connects without a request, which a closing server might still answer. */
const untilRefused = (address: string) =>
  vi.waitFor(
    async () => {
      const socket = connect(Number(new URL(address).port), "127.0.0.1")
      const outcome = await once(socket, "connect").then(
        () => "accepted",
        ({ code }) => code
      )
      socket.destroy()
      expect(outcome).toBe("ECONNREFUSED")
    },
    { interval: 5, timeout: 100_000 }
  )

/** A listener that holds its first request until it is released. */
const holding = () => {
  const arrival = Promise.withResolvers<ServerResponse>()
  return {
    listener: (_: IncomingMessage, response: ServerResponse) => arrival.resolve(response),
    arrival: arrival.promise
  }
}

/**
 * Sends part of a request, and more on demand; `answered` is all received data at the end of the
 * connection.
 */
const sendPart = (address: string, part: string) => {
  const socket = connect(Number(new URL(address).port), "127.0.0.1")
  socket.write(part)
  return { answered: text(socket), write: (more: string) => socket.write(more) }
}

const withBody = (path: string, length: number) =>
  `PUT ${path} HTTP/1.1\r\nHost: here\r\nConnection: close\r\nContent-Length: ${length}\r\n\r\n`

describe("HttpListener", () => {
  it("accepts a thousand ids in a query, and refuses two thousand", async () => {
    const { address, close } = await open({})
    const query = (count: number) => Array(count).fill(`siteId=${crypto.randomUUID()}`).join("&")
    expect((await request(`${address}/?${query(1_000)}`)).statusCode).toBe(200)
    expect((await request(`${address}/?${query(2_000)}`)).statusCode).toBe(431)
    await close()
  })

  it("answers on a free port until it is closed", async () => {
    const { address, close } = await open({})
    expect(await text(await request(address))).toBe("hello")
    await close()
    await expect(request(address)).rejects.toMatchObject({ code: "ECONNREFUSED" })
  })

  it("puts an IPv6 address into brackets", async () => {
    const { address, close } = await open({ host: "::1" })
    expect(address).toMatch(/^http:\/\/\[::1\]:\d+$/)
    await close()
  })

  it("ends a request whose body does not arrive, unless its listener limits it", async () => {
    const echo: RequestListener = async (incoming, response) => {
      const body = await text(incoming).catch(() => "cut off")
      if (!response.destroyed) response.end(body)
    }
    const hasOwnBodyTimeout = ({ url }: IncomingMessage) => url === "/file"
    const { address, close } = await open({ listener: echo, bodyTimeout: Duration.millis(100), hasOwnBodyTimeout })
    const unhurried = sendPart(address, `${withBody("/file", 10)}first`)
    const hurried = sendPart(address, `${withBody("/api", 10)}first`)
    expect(await hurried.answered).toMatch(/^HTTP\/1\.1 408 .*"code":"request_timeout"/s)
    unhurried.write("later")
    expect(await unhurried.answered).toMatch(/^HTTP\/1\.1 200 OK\r\n.*firstlater/s)
    await close()
  })

  it("ends it also after an early response", async () => {
    const { address, close } = await open({ bodyTimeout: Duration.millis(100) })
    const kept = withBody("/api", 10).replace("close", "keep-alive")
    expect(await sendPart(address, `${kept}first`).answered).toMatch(/^HTTP\/1\.1 200 OK\r\n.*hello$/s)
    await close()
  })

  it("finishes a request in flight, and accepts no other meanwhile", async () => {
    const { arrival, listener } = holding()
    const { address, close } = await open({ listener })
    const answer = request(address, new Agent({ keepAlive: true }))
    const response = await arrival
    const closed = close()
    await untilRefused(address)
    response.end("late")
    expect((await answer).headers.connection).toBe("close")
    expect(await text(await answer)).toBe("late")
    await closed
  })

  it("ends a connection whose response promised keep-alive", async () => {
    const { arrival, listener } = holding()
    const { address, close } = await open({ listener })
    const answer = request(address, new Agent({ keepAlive: true }))
    const response = await arrival
    response.write("early ")
    expect((await answer).headers.connection).toBe("keep-alive")
    const closed = close()
    response.end("late")
    expect(await text(await answer)).toBe("early late")
    await closed
  })

  it("answers a request on a kept connection during the shutdown", async () => {
    const { address, close } = await open({})
    const agent = new Agent({ keepAlive: true })
    expect(await text(await request(address, agent))).toBe("hello")
    const closed = close()
    await untilRefused(address)
    const last = await request(address, agent)
    expect([await text(last), last.headers.connection]).toEqual(["hello", "close"])
    await closed
    agent.destroy()
  })

  it("answers the connections of a burst that begins before the shutdown", async () => {
    const { arrival, listener } = holding()
    // A busy process: it accepts one connection per turn of the event loop.
    const busy: RequestListener = (incoming, response) => {
      const end = performance.now() + 20
      while (performance.now() < end);
      if (incoming.url === "/") listener(incoming, response)
      else response.end("hello")
    }
    const { address, close } = await open({ listener: busy })
    const burst = Array.from({ length: 30 }, (_, index) => request(index === 0 ? address : `${address}/${index}`))
    const held = await arrival
    const closed = close()
    held.end("hello")
    expect(await Promise.all(burst.map(async (answer) => text(await answer)))).toEqual(burst.map(() => "hello"))
    await closed
  })

  it("ends idle connections once their clients send no more requests", async () => {
    const { address, close } = await open({})
    const agent = new Agent({ keepAlive: true })
    const kept = Array.from({ length: 4 }, () => request(address, agent))
    for (const answer of kept) await text(await answer)
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] })
    try {
      const closed = close()
      await expect.poll(() => vi.getTimerCount()).toBe(1)
      for (const _ of kept) {
        vi.advanceTimersByTime(400)
        const last = await request(address, agent)
        expect([await text(last), last.headers.connection]).toEqual(["hello", "close"])
      }
      await closed
    } finally {
      vi.useRealTimers()
      agent.destroy()
    }
  })

  it("reports an address that is in use or not of this machine", async () => {
    const { address, close } = await open({})
    const port = Number(new URL(address).port)
    expect(await faultOf({ port })).toBe(
      `Port ${port} of 127.0.0.1 is in use by another process; set PORT to another one, or to 0 for a free one.`
    )
    await close()
    expect(await faultOf({ host: "192.0.2.1" })).toBe("HOST 192.0.2.1 is not an address of this machine.")
  })
})

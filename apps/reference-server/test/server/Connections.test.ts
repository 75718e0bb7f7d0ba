import type { ServerResponse } from "node:http"
import { describe, expect, it, vi } from "vitest"
import { type Client, openListener, send } from "./Listening.ts"

const get = (path = "/") => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`

const isOpen = ({ socket }: Client): boolean => socket.readyState === "open"

const waiting = { timeout: 100_000, interval: 10 }

/** Waits for the response. */
const answered = async (client: Client): Promise<Client> => {
  await vi.waitFor(() => expect(client.seen()).toMatch(/hello$|"requestId"/), waiting)
  return client
}

/** Answers everything but `/held`. */
const holding = () => {
  const held: Array<ServerResponse> = []
  return {
    held,
    listener: (request: { readonly url?: string | undefined }, response: ServerResponse) =>
      request.url === "/held" ? void held.push(response) : void response.end("hello")
  }
}

describe("a server at its limit of connections", () => {
  it("closes the longest idle connection for each new one", async () => {
    const port = await openListener({ connections: { maximum: 3 } })
    const [first, second, third] = [
      await answered(send(port, get())),
      await answered(send(port, get())),
      await answered(send(port, get()))
    ]
    first.socket.write(get())
    await vi.waitFor(() => expect(first.seen().match(/hello/g)).toHaveLength(2), waiting)
    await answered(send(port, get()))
    await second.ended
    await answered(send(port, get()))
    await third.ended
    expect(isOpen(first)).toBe(true)
  })

  it("also closes a connection that has sent nothing", async () => {
    const port = await openListener({ connections: { maximum: 2 } })
    const silent = send(port, "")
    await vi.waitFor(() => expect(isOpen(silent)).toBe(true), waiting)
    await answered(send(port, get()))
    await answered(send(port, get()))
    await silent.ended
  })

  it("answers only health while all connections are active, and keeps them", async () => {
    const { held, listener } = holding()
    const port = await openListener({ listener, connections: { maximum: 2, spare: 1 } })
    const busy = [send(port, get("/held")), send(port, get("/held"))]
    await vi.waitFor(() => expect(held).toHaveLength(2), waiting)
    const probe = await answered(send(port, get("/health/ready")))
    expect(probe.seen()).toMatch(/^HTTP\/1\.1 200 /)
    const other = await send(port, get()).ended
    expect(other).toMatch(/^HTTP\/1\.1 503 .*retry-after: 1.*"code":"overloaded"/s)
    expect(busy.map(isOpen)).toEqual([true, true])
    for (const response of held) response.end("hello")
    await Promise.all(busy.map(answered))
  })

  it("closes a connection whose client does not read, if all others are active", async () => {
    const { held, listener } = holding()
    const body = Buffer.alloc(20_000_000)
    const port = await openListener({
      listener: (request, response) =>
        request.url === "/large" ? void response.end(body) : listener(request, response),
      connections: { maximum: 2, spare: 0 }
    })
    const busy = send(port, get("/held"))
    await vi.waitFor(() => expect(held).toHaveLength(1), waiting)
    const unread = send(port, get("/large"))
    // At once: between two polls a fast machine reads the whole body.
    unread.socket.once("data", () => unread.socket.pause())
    await vi.waitFor(() => expect(unread.seen().length).toBeGreaterThan(0), waiting)
    await answered(send(port, get()))
    unread.socket.resume()
    expect((await unread.ended).length).toBeLessThan(body.length)
    expect(isOpen(busy)).toBe(true)
    for (const response of held) response.end("hello")
  })
})

describe("an address at its limit of connections", () => {
  it("replaces its own longest idle connection, and none of others", async () => {
    const port = await openListener({ connections: { perAddress: 1, isShared: () => false } })
    const other = await answered(send(port, get(), "127.0.0.2"))
    const first = await answered(send(port, get()))
    const second = await answered(send(port, get()))
    await first.ended
    expect([other, second].map(isOpen)).toEqual([true, true])
  })

  it("gets no new connection while all of its own are active", async () => {
    const { held, listener } = holding()
    const port = await openListener({ listener, connections: { perAddress: 1, isShared: () => false } })
    send(port, get("/held"))
    await vi.waitFor(() => expect(held).toHaveLength(1), waiting)
    expect(await send(port, get()).ended).toBe("")
    await answered(send(port, get(), "127.0.0.2"))
    for (const response of held) response.end("hello")
  })

  it("is not limited if it is shared: a proxy, or this machine", async () => {
    const port = await openListener({ connections: { perAddress: 1 } })
    const local = [await answered(send(port, get())), await answered(send(port, get()))]
    expect(local.map(isOpen)).toEqual([true, true])
  })
})

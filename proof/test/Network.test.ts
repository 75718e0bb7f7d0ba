import { once } from "node:events"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"
import { buffer } from "node:stream/consumers"
import { afterEach, describe, expect, it } from "vitest"
import { openNetwork } from "../src/Network.ts"

const closing: Array<() => void> = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

/** A connection through the proxy to a server that echoes. */
const connected = async () => {
  const accepted: Array<Socket> = []
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    accepted.push(socket)
    socket.on("error", () => {}).pipe(socket)
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const network = await openNetwork((server.address() as AddressInfo).port) // It listens on a port.
  const socket = connect({ port: network.port, host: "127.0.0.1", allowHalfOpen: true })
  closing.push(() => {
    void network.close()
    server.close()
    for (const one of [socket, ...accepted]) one.destroy()
  })
  await once(socket, "connect")
  socket.write("hello")
  expect(String((await once(socket, "data"))[0])).toBe("hello")
  return { network, socket, accepted }
}

describe("a network with faults", () => {
  it("forwards both directions, the end of a stream included", async () => {
    const { socket } = await connected()
    const all = buffer(socket)
    socket.end("goodbye")
    expect(String(await all)).toBe("goodbye")
  })

  it("delays, and forwards nothing in a blackhole until it ends", async () => {
    const { network, socket } = await connected()
    network.set({ latencyMillis: 20, bytesPerSecond: 1_000 })
    const start = performance.now()
    socket.write("x".repeat(50))
    await once(socket, "data")
    expect(performance.now() - start).toBeGreaterThanOrEqual(130)

    network.set({ blackhole: true })
    let received = 0
    socket.on("data", (chunk: Buffer) => {
      received += chunk.length
    })
    socket.write("lost")
    const other = connect(network.port, "127.0.0.1")
    closing.push(() => other.destroy())
    await once(other, "connect")
    expect(received).toBe(0)
    network.set({})
    await expect.poll(() => received).toBe(4)
  })

  it("resets connections, in the middle of an answer too", async () => {
    const { network, socket } = await connected()
    let received = 0
    socket.on("data", (chunk: Buffer) => {
      received += chunk.length
    })
    const failed = once(socket, "error")
    network.cutAfter(3, "client")
    socket.write("answer")
    expect((await failed)[0]).toMatchObject({ code: "ECONNRESET" })
    expect(received).toBeLessThanOrEqual(3)
    await expect.poll(network.connections).toBe(0)
  })

  it("ends one direction only", async () => {
    const { network, socket } = await connected()
    network.halfClose("client")
    socket.resume()
    await once(socket, "end")
    expect(socket.writable).toBe(true)
  })

  it("loses the bytes of a dropping blackhole for good, and forwards new connections afterwards", async () => {
    const { network, socket } = await connected()
    let received = 0
    socket.on("data", (chunk: Buffer) => {
      received += chunk.length
    })
    network.set({ drop: true })
    socket.write("lost")
    network.set({})
    socket.write("lost too")
    const other = connect(network.port, "127.0.0.1")
    closing.push(() => other.destroy())
    other.write("hello")
    expect(String((await once(other, "data"))[0])).toBe("hello")
    expect(received).toBe(0)
    expect(socket.destroyed).toBe(false)
  })

  it("resets, half-closes and refuses new connections", async () => {
    const { network, socket } = await connected()
    socket.on("error", () => {})
    const dial = () => {
      const socket = connect({ port: network.port, host: "127.0.0.1", allowHalfOpen: true })
      closing.push(() => socket.destroy())
      return socket.resume()
    }
    network.set({ onConnect: "reset" })
    expect((await once(dial(), "error"))[0]).toMatchObject({ code: "ECONNRESET" })
    network.set({ onConnect: "halfClose" })
    await once(dial(), "end")
    network.set({})
    await network.refuse()
    expect((await once(dial(), "error"))[0]).toMatchObject({ code: "ECONNREFUSED" })
    await network.accept()
    await once(dial(), "connect")
  })
})

import type { Socket } from "node:net"
import { Effect, Fiber } from "effect"
import { describe, expect, it } from "vitest"
import { receiving, request, send, sending, until } from "./Receiving.ts"

const ok = "HTTP/1.1 200 OK\r\n"
const silence = "timeout: The receiver does not answer in time."
const redirected = "redirect: The receiver redirects. Redirects are not followed."

const repeating = (socket: Socket, text: string, milliseconds: number) => {
  const timer = setInterval(() => socket.write(text), milliseconds)
  socket.once("close", () => clearInterval(timer))
}

describe("a request to a receiver", () => {
  it("is one POST with the headers and the body it is given, on a connection of its own", async () => {
    await using receiver = await receiving((socket) => socket.end(`${ok}content-length: 2\r\n\r\nok`))
    expect(await send(`http://127.0.0.1:${receiver.port}/a%20b`)).toBe("200")
    expect(await send(`http://127.0.0.1:${receiver.port}/a%20b`)).toBe("200")
    expect(receiver.sockets).toHaveLength(2)
    const { body } = request("")
    const sent = [
      "POST /a%20b?token=hidden-query HTTP/1.1",
      "user-agent: Solar-Sites-Webhooks",
      "content-type: application/json",
      "webhook-signature: v1,hidden-signature",
      `content-length: ${Buffer.byteLength(body)}`,
      `Host: 127.0.0.1:${receiver.port}`,
      "Connection: close"
    ]
    expect(receiver.received()).toBe(`${sent.join("\r\n")}\r\n\r\n${body}`.repeat(2))
  })

  it.each([
    ["204", "HTTP/1.1 204 No Content\r\n\r\n", "204"],
    ["an error of the receiver", "HTTP/1.1 500 Oops\r\ncontent-length: 0\r\n\r\n", "500"],
    ["410", "HTTP/1.1 410 Gone\r\ncontent-length: 0\r\n\r\n", "410"],
    ["HTTP/1.0", "HTTP/1.0 200 OK\r\n\r\ndone", "200"],
    ["chunks", `${ok}transfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n`, "200"],
    [
      "informational answers first",
      `HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n${ok}content-length: 0\r\n\r\n`,
      "200"
    ],
    ["less than the announced body", `${ok}content-length: 9\r\n\r\nx`, "200"],
    ["a broken chunk", `${ok}transfer-encoding: chunked\r\n\r\nzz\r\n`, "200"],
    ["a redirect", "HTTP/1.1 307 Temporary\r\nlocation: https://example.com/\r\ncontent-length: 0\r\n\r\n", redirected],
    ["304", "HTTP/1.1 304 Not Modified\r\n\r\n", redirected],
    ["another protocol", "SSH-2.0-OpenSSH_9.2\r\n", "connection: The connection failed (HPE_INVALID_CONSTANT)."],
    ["a wrong header", `${ok}a b: c\r\n\r\n`, "connection: The connection failed (HPE_INVALID_HEADER_TOKEN)."],
    ["two lengths", `${ok}content-length: 1\r\ncontent-length: 2\r\n\r\n`, /^connection: /],
    [
      "large headers",
      `${ok}x: ${"x".repeat(20_000)}\r\n\r\n`,
      "connection: The connection failed (HPE_HEADER_OVERFLOW)."
    ],
    ["a change of protocol", "HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n", /^connection: /],
    ["no answer", "", "connection: The connection failed (ECONNRESET)."],
    ["half of the headers", `${ok}content-le`, /^connection: /]
  ])("ends with an answer that ends: %s", async (_, answer, expected) => {
    await using receiver = await receiving((socket) => socket.end(answer))
    const seen = await send(`http://127.0.0.1:${receiver.port}`)
    if (typeof expected === "string") expect(seen).toBe(expected)
    else expect(seen).toMatch(expected)
    await until(() => receiver.sockets.every(({ closed }) => closed))
  })

  it.concurrent.each<[string, (socket: Socket) => void, string]>([
    ["no byte", () => {}, silence],
    ["half a status", (socket) => socket.write("HTTP/1."), silence],
    ["headers without an end", (socket) => repeating(socket, `${ok}x: y`, 1_000_000), silence],
    ["headers byte by byte", (socket) => socket.write(ok) && repeating(socket, "x", 20), silence],
    ["endless informational answers", (socket) => repeating(socket, "HTTP/1.1 100 Continue\r\n\r\n", 5), silence],
    ["a body that does not come", (socket) => socket.write(`${ok}content-length: 9\r\n\r\n`), "200"],
    ["a body byte by byte", (socket) => socket.write(`${ok}\r\n`) && repeating(socket, "x", 20), "200"],
    ["an error without an end", (socket) => socket.write("HTTP/1.1 503 No\r\n\r\n"), "503"],
    ["a redirect without an end", (socket) => socket.write("HTTP/1.1 302 Found\r\nlocation: /\r\n\r\n"), redirected]
  ])("is cut after the timeout: %s", async (_, answer, expected) => {
    await using receiver = await receiving(answer)
    const timeout = expected === silence ? "200 millis" : "1 second"
    expect(await send(`http://127.0.0.1:${receiver.port}`, { timeout })).toBe(expected)
    await until(() => receiver.sockets.every(({ closed }) => closed))
  })

  it("fails when the receiver resets the connection, and counts a status that came before", async () => {
    await using resetting = await receiving((socket) => socket.resetAndDestroy())
    expect(await send(`http://127.0.0.1:${resetting.port}`)).toBe("connection: The connection failed (ECONNRESET).")
    await using answering = await receiving((socket) => {
      socket.write(`${ok}content-length: 9\r\n\r\nx`)
      // Between two of these the client reads what has arrived.
      setImmediate(() => setImmediate(() => setImmediate(() => socket.resetAndDestroy())))
    })
    expect(await send(`http://127.0.0.1:${answering.port}`)).toBe("200")
  })

  it("fails when nothing listens", async () => {
    const receiver = await receiving(() => {})
    await receiver[Symbol.asyncDispose]()
    expect(await send(`http://127.0.0.1:${receiver.port}`)).toBe("connection: The connection failed (ECONNREFUSED).")
  })

  it("reads at most a part of an answer of 100 MB", async () => {
    const mebibyte = Buffer.alloc(1_024 * 1_024, "x")
    let written = 0
    const pour = (socket: Socket) => {
      while (written < 100 && !socket.destroyed) {
        written += 1
        if (!socket.write(mebibyte)) return socket.once("drain", () => pour(socket))
      }
    }
    await using receiver = await receiving((socket) => {
      socket.write(`${ok}content-length: ${100 * mebibyte.length}\r\n\r\n`)
      pour(socket)
    })
    expect(await send(`http://127.0.0.1:${receiver.port}`)).toBe("200")
    await until(() => receiver.sockets.every(({ closed }) => closed))
    // What the kernel takes beyond the limit stays in the buffers of the two sockets.
    expect(written).toBeLessThan(30)
  })

  it("does not follow a redirect to a private address", async () => {
    await using inside = await receiving((socket) => socket.end(`${ok}\r\n`))
    const location = `location: http://127.0.0.1:${inside.port}/\r\ncontent-length: 0\r\n\r\n`
    for (const status of [301, 302, 303, 307, 308]) {
      await using receiver = await receiving((socket) => socket.end(`HTTP/1.1 ${status} Moved\r\n${location}`))
      expect(await send(`http://127.0.0.1:${receiver.port}`)).toBe(redirected)
    }
    expect(inside.sockets).toEqual([])
  })

  it("closes its connection when it is interrupted", async () => {
    await using receiver = await receiving(() => {})
    const fiber = Effect.runFork(sending(`http://127.0.0.1:${receiver.port}`))
    await until(() => receiver.received().includes("hidden-body"))
    await Effect.runPromise(Fiber.interrupt(fiber))
    await until(() => receiver.sockets.every(({ closed }) => closed))
  })

  it("waits for no other: 100 receivers hang, one answers, and all connections are closed", async () => {
    await using hanging = await receiving((socket) => socket.write(`${ok}x: y`))
    await using answering = await receiving((socket) => socket.end(`${ok}\r\n`))
    const fibers = Array.from({ length: 100 }, () => Effect.runFork(sending(`http://127.0.0.1:${hanging.port}`)))
    await until(() => hanging.sockets.length === 100)
    expect(await send(`http://127.0.0.1:${answering.port}`)).toBe("200")
    await Effect.runPromise(Fiber.interruptAll(fibers))
    await until(() => hanging.sockets.every(({ closed }) => closed))
  })
})

/** A listener on a free port, and raw sockets as its clients. */
import { connect, type Socket } from "node:net"
import { Effect, Exit, Scope } from "effect"
import { onTestFinished } from "vitest"
import { type ListenOptions, listen } from "../../src/server/HttpListener.ts"

/** Listens until the end of the test. */
export const openListener = async (options: Partial<ListenOptions>): Promise<number> => {
  const scope = Scope.makeUnsafe()
  const listener: ListenOptions["listener"] = (_, response) => response.end("hello")
  const address = await Effect.runPromise(
    listen({ host: "127.0.0.1", port: 0, listener, checkContinue: listener, ...options }).pipe(Scope.provide(scope))
  )
  onTestFinished(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  return Number(new URL(address).port)
}

export interface Client {
  readonly socket: Socket
  /** All data received so far. */
  readonly seen: () => string
  /** All received data, at the end of the connection. */
  readonly ended: Promise<string>
}

/** Connects from a local address and sends the text. */
export const send = (port: number, text: string, localAddress = "127.0.0.1"): Client => {
  let seen = ""
  const socket = connect({ port, host: "127.0.0.1", localAddress })
    .on("data", (chunk) => {
      seen += chunk
    })
    .on("error", () => {})
  onTestFinished(() => void socket.destroy())
  socket.write(text)
  return { socket, seen: () => seen, ended: new Promise((resolve) => socket.once("close", () => resolve(seen))) }
}

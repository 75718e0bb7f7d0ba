/**
 * Receivers on loopback that answer with raw text, and a sender that may reach them.
 */
import { once } from "node:events"
import { type AddressInfo, createServer, type Server, type Socket } from "node:net"
import { WebhookSender, type WebhookSendFailed } from "@solar-sites/core"
import { Effect } from "effect"
import { layer, type WebhookSenderOptions } from "../../src/webhooks/index.ts"

export interface Receiving extends AsyncDisposable {
  readonly port: number
  /** All connections so far. */
  readonly sockets: ReadonlyArray<Socket>
  /** Text received on all connections. */
  readonly received: () => string
}

const portOf = (server: Server): number => {
  // A server that listens on TCP has an address of this type.
  return (server.address() as AddressInfo).port
}

/** Serves on a free port. `answer` runs when the first bytes of a request have arrived. */
export const receiving = async (
  answer: (socket: Socket) => void,
  server: Server = createServer()
): Promise<Receiving> => {
  const sockets: Array<Socket> = []
  let received = ""
  server.on("connection", (socket: Socket) => {
    sockets.push(socket)
    socket.on("error", () => {})
    socket.on("data", (chunk) => (received += chunk))
    socket.once("data", () => answer(socket))
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  return {
    port: portOf(server),
    sockets,
    received: () => received,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, "close")
    }
  }
}

export const request = (url: string) => ({
  url: `${url}?token=hidden-query`,
  headers: { "content-type": "application/json", "webhook-signature": "v1,hidden-signature" },
  body: JSON.stringify({ type: "site.created", name: "hidden-body ☀" })
})

export const sending = (
  url: string,
  options: WebhookSenderOptions = {}
): Effect.Effect<{ readonly status: number }, WebhookSendFailed> =>
  WebhookSender.use((sender) => sender.send(request(url))).pipe(
    Effect.provide(layer({ allowPrivate: true, ...options }))
  )

/** The status, or the reason and the detail of the failure. */
export const send = (url: string, options: WebhookSenderOptions = {}): Promise<string> =>
  sending(url, options).pipe(
    Effect.match({
      onSuccess: ({ status }) => String(status),
      onFailure: (error) => {
        const shown = `${error.message} ${JSON.stringify(error)} ${String(error)}`
        if (shown.includes("hidden")) throw new Error("The failure shows a part of the request")
        return `${error.reason}: ${error.detail}`
      }
    }),
    Effect.runPromise
  )

/** Waits until the condition holds. */
export const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5))
}

/**
 * Faulty stores, each on a free port until it is disposed.
 */
import { createServer as createHttpServer, type RequestListener } from "node:http"
import { createServer, type Server, type Socket } from "node:net"
import { freePort } from "../../../scripts/freePort.ts"

export interface Stub extends AsyncDisposable {
  readonly endpoint: string
}

const listen = async (server: Server): Promise<Stub> => {
  const sockets = new Set<Socket>()
  server.on("connection", (socket) => {
    sockets.add(socket)
    socket.on("error", () => {}).on("close", () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  return {
    endpoint: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    }
  }
}

export const anAnswering = (listener: RequestListener): Promise<Stub> => listen(createHttpServer(listener))

/** Accepts connections and never answers. */
export const aBlackHole = (): Promise<Stub> => listen(createServer(() => {}))

/** Accepts connections and closes them. */
export const aHangUp = (): Promise<Stub> => listen(createServer((socket) => socket.destroy()))

/** A port without a listener. */
export const aDeadPort = async (): Promise<Stub> => ({
  endpoint: `http://127.0.0.1:${await freePort()}`,
  [Symbol.asyncDispose]: async () => {}
})

/** Body of an error response of S3. */
export const xmlError = (code: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`

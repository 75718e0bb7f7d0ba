/**
 * Servers that are no good stores, each on a free port until it is disposed.
 */
import { createServer as createHttpServer, type RequestListener } from "node:http"
import { createServer, type Server, type Socket } from "node:net"
import { freePort } from "./Ports.ts"

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

/** Answers as it is told. */
export const anAnswering = (listener: RequestListener): Promise<Stub> => listen(createHttpServer(listener))

/** Takes connections, and says nothing. */
export const aBlackHole = (): Promise<Stub> => listen(createServer(() => {}))

/** Takes connections, and cuts them. */
export const aHangUp = (): Promise<Stub> => listen(createServer((socket) => socket.destroy()))

/** Nobody listens there. */
export const aDeadPort = async (): Promise<Stub> => ({
  endpoint: `http://127.0.0.1:${await freePort()}`,
  [Symbol.asyncDispose]: async () => {}
})

/** A refusal as S3 writes it. */
export const xmlError = (code: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`

/**
 * HTTP services in this process, on loopback and a free port.
 */
import { once } from "node:events"
import type { Server } from "node:http"

export interface Service {
  readonly url: string
  readonly stop: () => Promise<void>
}

export const startHttp = async (server: Server): Promise<Service> => {
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      server.close()
      server.closeAllConnections()
    }
  }
}

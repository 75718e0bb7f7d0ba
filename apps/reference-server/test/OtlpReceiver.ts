/** A collector for OTLP over HTTP that keeps the received bodies. */
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { buffer } from "node:stream/consumers"

export interface OtlpReceiver {
  readonly url: string
  /** Bodies for a path, as text; names are readable in it. */
  readonly received: (path: string) => string
  readonly close: () => void
}

export const otlpReceiver = async (): Promise<OtlpReceiver> => {
  const bodies = new Map<string, string>()
  const server = createServer(async (request, response) => {
    const { url = "" } = request
    const body = (await buffer(request)).toString("latin1")
    bodies.set(url, `${bodies.get(url) ?? ""}${body}`)
    response.end()
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo // It listens on a port.
  return {
    url: `http://127.0.0.1:${port}`,
    received: (path) => bodies.get(path) ?? "",
    close: () => {
      server.close()
      server.closeAllConnections()
    }
  }
}

/**
 * What people find when they open the bare address: the way to the API
 * reference.
 *
 * @since 0.1.0
 */
import { randomUUID } from "node:crypto"
import type { IncomingMessage, ServerResponse } from "node:http"
import { Option } from "effect"

// As for every other answer (specification, section 3).
const requestIdOf = ({ headers }: IncomingMessage): string => {
  const sent = headers["x-request-id"]
  return typeof sent === "string" && /^[A-Za-z0-9-]{8,64}$/.test(sent) ? sent : randomUUID()
}

type Listener = (request: IncomingMessage, response: ServerResponse) => void

/**
 * Sends `/` on to `/docs`, below the path of the public address where there is
 * one, and everything else to the listener, which then answers all that is
 * particular about a request.
 *
 * @category listeners
 * @since 0.1.0
 */
export const leadingToDocs = (listener: Listener, publicUrl: Option.Option<string>): Listener => {
  const base = Option.match(publicUrl, {
    onNone: () => "",
    onSome: (url) => new URL(url).pathname.replace(/\/$/, "")
  })
  return (request, response) => {
    if (request.url !== "/" || (request.method !== "GET" && request.method !== "HEAD")) {
      return listener(request, response)
    }
    response
      .writeHead(302, {
        location: `${base}/docs`,
        "content-length": 0,
        "x-request-id": requestIdOf(request),
        "cache-control": "no-store",
        "x-content-type-options": "nosniff"
      })
      .end()
  }
}

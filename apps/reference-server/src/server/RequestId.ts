/**
 * What an answer is called: what the client called it, or a name of our own
 * (specification, section 3).
 */
import { randomUUID } from "node:crypto"
import type { IncomingHttpHeaders } from "node:http"

export const requestIdOf = (headers: IncomingHttpHeaders): string => {
  const sent = headers["x-request-id"]
  return typeof sent === "string" && /^[A-Za-z0-9-]{8,64}$/.test(sent) ? sent : randomUUID()
}

/**
 * What an answer is called in logs and in a report of its client: what the
 * client called it, or a name of our own, as everywhere in the API.
 */
import { randomUUID } from "node:crypto"
import type { HttpServerRequest } from "effect/http"

export const requestIdOf = ({ headers }: HttpServerRequest.HttpServerRequest): string => {
  const sent = headers["x-request-id"]
  return sent !== undefined && /^[A-Za-z0-9-]{8,64}$/.test(sent) ? sent : randomUUID()
}

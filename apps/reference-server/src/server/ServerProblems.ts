/**
 * Refusals that no application sees: what Node refuses by itself, requests that
 * come too slowly, and connections beyond the limit. They look like all others.
 */
import { randomUUID } from "node:crypto"
import type { Server, ServerResponse } from "node:http"
import type { Duplex } from "node:stream"
import { describeProblem, type ProblemCode, problemMediaType } from "@solar-sites/http-node/contract"
import { requestIdOf } from "./RequestId.ts"

const answerOf = (code: ProblemCode, requestId: string) => {
  const problem = { ...describeProblem(code), requestId }
  const body = JSON.stringify(problem)
  return {
    status: problem.status,
    body,
    headers: {
      "content-type": problemMediaType,
      "content-length": Buffer.byteLength(body),
      "x-request-id": requestId,
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      ...(problem.status === 503 ? { "retry-after": "1" } : {}),
      connection: "close"
    }
  }
}

/** Refuses a request before its answer has begun, and ends its connection. */
export const sendProblem = (response: ServerResponse, code: ProblemCode): void => {
  const { body, headers, status } = answerOf(code, requestIdOf(response.req.headers))
  response.writeHead(status, headers).end(body)
}

const codeOf = ({ code }: NodeJS.ErrnoException): ProblemCode => {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return "headers_too_large"
    case "HPE_CHUNK_EXTENSIONS_OVERFLOW":
      return "body_too_large"
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return "request_timeout"
    default:
      return "malformed_request"
  }
}

/** There is no request to answer, so the answer is written by hand. */
const write = (socket: Duplex, code: ProblemCode): void => {
  const { body, headers, status } = answerOf(code, randomUUID())
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`HTTP/1.1 ${status} ${describeProblem(code).title}\r\n${lines.join("")}\r\n${body}`)
}

/**
 * Answers what Node would refuse by itself. `hasBegun` says whether an answer on
 * the connection has begun, into which nothing may be written.
 */
export const answerRefusals = (server: Server, hasBegun: (socket: Duplex) => boolean): void => {
  server.on("checkExpectation", (_, response) => sendProblem(response, "expectation_failed"))
  server.on("clientError", (error, socket) => {
    if (socket.writable && !hasBegun(socket)) write(socket, codeOf(error))
    // What was written goes out first.
    if ("destroySoon" in socket && typeof socket.destroySoon === "function") socket.destroySoon()
    else socket.destroy()
  })
}

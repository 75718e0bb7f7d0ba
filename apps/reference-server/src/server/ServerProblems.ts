/**
 * Refusals before a request reaches the application: by Node itself, of requests that arrive too
 * slowly, and of connections over the limit. They look like all others.
 */
import type { Server, ServerResponse } from "node:http"
import type { Duplex } from "node:stream"
import { renderProblem } from "@solar-sites/http-node"
import { type ProblemCode, problems } from "@solar-sites/http-node/contract"

/** Refuses a request before its response has begun, and ends its connection. */
export const sendProblem = (response: ServerResponse, code: ProblemCode): void => {
  const { body, headers, status } = renderProblem(code, response.req.headers)
  response.writeHead(status, { ...headers, connection: "close" }).end(body)
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

/** Without a request there is no response object, so the response is written to the socket. */
const write = (socket: Duplex, code: ProblemCode): void => {
  const { body, headers, status } = renderProblem(code)
  const lines = Object.entries({ ...headers, connection: "close" }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`HTTP/1.1 ${status} ${problems[code].title}\r\n${lines.join("")}\r\n${body}`)
}

// One takes up to 0.1 ms with the end of its connection; requests get most of the time between.
const refusalsAtOnce = 20
const pauseMillis = 5

/** Runs actions in order, a bounded number of them at once. */
const spreadOverTime = () => {
  const waiting: Array<() => void> = []
  const run = (): void => {
    for (const action of waiting.splice(0, refusalsAtOnce)) action()
    if (waiting.length > 0) setTimeout(run, pauseMillis)
  }
  return (action: () => void): void => {
    if (waiting.length === 0) setTimeout(run, pauseMillis)
    waiting.push(action)
  }
}

/**
 * Answers requests that Node refuses by itself. `hasBegun` is true of a connection on which a
 * response has begun, into which nothing may be written.
 */
export const answerRefusals = (server: Server, hasBegun: (socket: Duplex) => boolean): void => {
  const spread = spreadOverTime()
  server.on("checkExpectation", (_, response) => sendProblem(response, "expectation_failed"))
  server.on("clientError", (error, socket) => {
    const code = codeOf(error)
    const refuse = () => {
      if (socket.writable && !hasBegun(socket)) write(socket, code)
      // Sends the written response first.
      if ("destroySoon" in socket && typeof socket.destroySoon === "function") socket.destroySoon()
      else socket.destroy()
    }
    if (code !== "request_timeout") return refuse()
    // Thousands of connections that were opened together time out together.
    socket.pause()
    spread(refuse)
  })
}

/**
 * Requests byte by byte, as no well-behaved client sends them.
 */
import { type ClientRequest, request as httpRequest, type IncomingHttpHeaders } from "node:http"
import { connect } from "node:net"
import { text } from "node:stream/consumers"
import { Effect } from "effect"

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** The `code` of a problem. */
  readonly code: string | undefined
}

const problemCode = (body: string): string | undefined => (body.startsWith("{") ? JSON.parse(body).code : undefined)

/** A request whose body is still to be written, and its answer. */
export const begin = (
  url: string,
  method: string,
  headers: Readonly<Record<string, string>>
): { readonly request: ClientRequest; readonly answer: Promise<Answer> } => {
  const request = httpRequest(url, { method, headers, agent: false })
  const answer = new Promise<Answer>((resolve, reject) => {
    let answered = false
    request.once("response", (response) => {
      answered = true
      text(response).then(
        (body) =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body, code: problemCode(body) }),
        reject
      )
    })
    // Once there is an answer, a server may cut off the rest of the body.
    request.on("error", (error) => answered || reject(error))
  })
  answer.catch(() => {})
  return { request, answer }
}

/** Sends a request as a whole. */
export const send = (
  url: string,
  method: string,
  headers: Readonly<Record<string, string>> = {},
  body?: Uint8Array | string
): Effect.Effect<Answer> =>
  Effect.promise(() => {
    const { answer, request } = begin(url, method, headers)
    request.end(body)
    return answer
  })

/** A request with a path that no client would let through; answers the status. */
export const sendRaw = (url: string, method: string, path: string): Effect.Effect<number> =>
  Effect.promise(async () => {
    const { host, hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    socket.write(`${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
    const answer = await text(socket)
    return Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0)
  })

/** Waits until the condition holds; the time limit of the test ends it otherwise. */
export const until = (condition: () => boolean | Promise<boolean>): Effect.Effect<void> =>
  Effect.promise(async () => {
    while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 5))
  })

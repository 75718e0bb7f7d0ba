/** Requests written byte by byte, for invalid and slow clients. */
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

/** A request with an open body, and its response. */
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
    // After its response a server may close the connection before the end of the body.
    request.on("error", (error) => answered || reject(error))
  })
  answer.catch(() => {})
  return { request, answer }
}

/** Sends a complete request. */
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

/** Sends a path that clients would normalise; resolves with the status. */
export const sendRaw = (url: string, method: string, path: string): Effect.Effect<number> =>
  Effect.promise(async () => {
    const { host, hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    socket.write(`${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
    const answer = await text(socket)
    return Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0)
  })

/** Polls until the condition holds. */
export const until = (condition: () => boolean | Promise<boolean>): Effect.Effect<void> =>
  Effect.promise(async () => {
    while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 5))
  })

/**
 * HTTP of the hand-written server: routes, bodies and responses.
 */
import type { IncomingMessage, ServerResponse } from "node:http"
import { fixedHeaders } from "../common/headers.ts"
import { challenge, Problem, problemMediaType } from "../common/problems.ts"

const maximumBytes = 1_048_576

export const readJson = (request: IncomingMessage): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const chunks: Array<Buffer> = []
    let length = 0
    request.on("data", (chunk: Buffer) => {
      length += chunk.length
      if (length > maximumBytes) reject(new Problem("body_too_large"))
      else chunks.push(chunk)
    })
    request.once("error", reject)
    request.once("end", () => {
      try {
        resolve(JSON.parse((chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)).toString()))
      } catch {
        reject(new Problem("malformed_json"))
      }
    })
  })

export interface Answer {
  readonly status: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export const send = (response: ServerResponse, requestId: string, { body, headers, status }: Answer): void => {
  const text = JSON.stringify(body)
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
    "x-request-id": requestId,
    ...fixedHeaders,
    ...headers
  })
  response.end(text)
}

export const sendProblem = (response: ServerResponse, requestId: string, problem: Problem): void =>
  send(response, requestId, {
    status: problem.status,
    body: problem.body(requestId),
    headers: { "content-type": problemMediaType, ...(problem.status === 401 ? challenge : {}) }
  })

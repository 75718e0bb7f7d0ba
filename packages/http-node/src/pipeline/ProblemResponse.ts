/**
 * Renders refusals as problem documents (RFC 9457).
 */
import { randomUUID } from "node:crypto"
import { HttpServerResponse } from "effect/http"
import { describeProblem, type ProblemCode, problemMediaType, problemType } from "../contract/Problems.ts"
import { type HostRefused, Refused } from "./Refused.ts"

type Headers = Readonly<Record<string, string>>

const headersOf = (status: number): Headers => {
  switch (status) {
    case 401:
      return { "www-authenticate": 'ApiKey realm="api", header="x-api-key"' }
    case 503:
      return { "retry-after": "1" }
    default:
      return {}
  }
}

const render = (refused: Refused | HostRefused, requestId: string) => {
  if (refused._tag === "HostRefused") {
    const { code, detail, headers, status, title } = refused
    return { problem: { type: problemType(code), status, title, detail, code, requestId }, headers }
  }
  const { code, detail, errors, headers, members } = refused
  const problem = {
    ...describeProblem(code),
    ...(detail === undefined ? {} : { detail }),
    requestId,
    ...(errors === undefined ? {} : { errors }),
    ...members
  }
  return { problem, headers: { ...headersOf(problem.status), ...headers } }
}

export const problemResponse = (
  refused: Refused | HostRefused,
  requestId: string
): HttpServerResponse.HttpServerResponse => {
  const { headers, problem } = render(refused, requestId)
  return HttpServerResponse.text(JSON.stringify(problem), {
    status: problem.status,
    contentType: problemMediaType,
    ...(headers === undefined ? {} : { headers })
  })
}

/** Headers of every response. */
export const commonHeaders = (requestId: string) => ({
  "x-request-id": requestId,
  "cache-control": "no-store",
  "x-content-type-options": "nosniff"
})

/** The client's own request id where it is valid (specification, section 3). */
export const sentRequestId = (headers: { readonly [name: string]: unknown }): string | undefined => {
  const sent = headers["x-request-id"]
  return typeof sent === "string" && /^[A-Za-z0-9-]{8,64}$/.test(sent) ? sent : undefined
}

/**
 * A problem as status, headers and body, for servers that refuse a request before it reaches a
 * handler. `headers` are those of the request: the problem carries its request id, or a new one.
 */
export const renderProblem = (
  code: ProblemCode,
  headers: { readonly [name: string]: unknown } = {}
): { readonly requestId: string; readonly status: number; readonly headers: Headers; readonly body: string } => {
  const requestId = sentRequestId(headers) ?? randomUUID()
  const rendered = render(new Refused({ code }), requestId)
  const body = JSON.stringify(rendered.problem)
  return {
    requestId,
    status: rendered.problem.status,
    headers: {
      "content-type": problemMediaType,
      "content-length": `${Buffer.byteLength(body)}`,
      ...rendered.headers,
      ...commonHeaders(requestId)
    },
    body
  }
}

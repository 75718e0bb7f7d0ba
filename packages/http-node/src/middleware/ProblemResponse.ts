/**
 * Refusals as problem documents (RFC 9457).
 */
import { HttpServerResponse } from "effect/http"
import { describeProblem, problemMediaType, problems } from "../contract/Problems.ts"
import type { Refused } from "./Refused.ts"

const retryAfterSeconds = "1"

const headersOf = (status: number): Record<string, string> => {
  switch (status) {
    case 401:
      return { "www-authenticate": 'ApiKey realm="api", header="x-api-key"' }
    case 503:
      return { "retry-after": retryAfterSeconds }
    default:
      return {}
  }
}

export const problemResponse = (refused: Refused, requestId: string): HttpServerResponse.HttpServerResponse => {
  const { code, detail, errors, headers, members } = refused
  const { status } = problems[code]
  const problem = {
    ...describeProblem(code),
    ...(detail === undefined ? {} : { detail }),
    requestId,
    ...(errors === undefined ? {} : { errors }),
    ...members
  }
  return HttpServerResponse.text(JSON.stringify(problem), {
    status,
    contentType: problemMediaType,
    headers: { ...headersOf(status), ...headers }
  })
}

/**
 * Refusals as problem documents (RFC 9457).
 */
import { HttpServerResponse } from "effect/http"
import { describeProblem, type Problem, problemMediaType, problems, problemType } from "../contract/Problems.ts"
import type { HostRefused } from "../HostEndpoints.ts"
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

const answer = (
  problem: Problem,
  headers: Readonly<Record<string, string>> | undefined
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(JSON.stringify(problem), {
    status: problem.status,
    contentType: problemMediaType,
    ...(headers === undefined ? {} : { headers })
  })

const ofHost = ({ code, detail, headers, status, title }: HostRefused, requestId: string) =>
  answer({ type: problemType(code), status, title, detail, code, requestId }, headers)

const ofTable = (refused: Refused, requestId: string) => {
  const { code, detail, errors, headers, members } = refused
  const { status } = problems[code]
  const problem = {
    ...describeProblem(code),
    ...(detail === undefined ? {} : { detail }),
    requestId,
    ...(errors === undefined ? {} : { errors }),
    ...members
  }
  return answer(problem, { ...headersOf(status), ...headers })
}

export const problemResponse = (
  refused: Refused | HostRefused,
  requestId: string
): HttpServerResponse.HttpServerResponse =>
  refused._tag === "HostRefused" ? ofHost(refused, requestId) : ofTable(refused, requestId)

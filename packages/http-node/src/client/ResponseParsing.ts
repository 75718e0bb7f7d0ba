/**
 * Parses a response: the result of the operation, or the error of the client.
 */
import { type Problem, type Sent, SolarSitesAnswerError, SolarSitesProblem } from "./ClientErrors.ts"

/** A response with its body as text. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

// A date is relative to the clock of the service; the local clock may be wrong.
const retryAfterOf = (headers: Headers): number | null => {
  const value = headers.get("retry-after")?.trim() ?? ""
  if (/^\d+$/.test(value)) return Number(value)
  const seconds = (Date.parse(value) - Date.parse(headers.get("date") ?? "")) / 1_000
  return Number.isFinite(seconds) ? Math.max(0, seconds) : null
}

// Untyped: the contract promises the shape.
const parse = (text: string) => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isProblem = (json: unknown): json is Problem =>
  typeof json === "object" &&
  json !== null &&
  "code" in json &&
  typeof json.code === "string" &&
  "status" in json &&
  typeof json.status === "number" &&
  "detail" in json &&
  typeof json.detail === "string"

const mismatch = (status: number, json: unknown): string => {
  if (status === 0 || (status >= 300 && status < 400)) return "requests are not redirected; check baseUrl"
  if (status >= 400) return "not with a problem document; check baseUrl and proxies"
  return json === undefined || json === null ? "not with JSON; check baseUrl" : "not with a JSON object; check baseUrl"
}

/**
 * The body of a success, which the contract describes; it is not validated again. Throws the error
 * of any other response.
 */
export const bodyOf = ({ headers, status, text }: Answer, sent: Sent) => {
  if (status === 204) return undefined
  const json = parse(text)
  if (status >= 200 && status < 300 && typeof json === "object" && json !== null) return json
  const retryAfter = retryAfterOf(headers)
  if (status >= 400 && isProblem(json)) throw new SolarSitesProblem(json, sent, retryAfter)
  const answer = { status, retryAfter, requestId: headers.get("x-request-id") }
  throw new SolarSitesAnswerError(answer, mismatch(status, json), sent)
}

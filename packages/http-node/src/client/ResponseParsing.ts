/**
 * Makes of an answer what was asked for, or the error it stands for.
 */
import { type Problem, type Sent, SolarSitesAnswerError, SolarSitesProblem } from "./ClientErrors.ts"

/** An answer whose body has been read. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

// A date is measured against the service's own clock: ours may be wrong.
const retryAfterOf = (headers: Headers): number | null => {
  const value = headers.get("retry-after")?.trim() ?? ""
  if (/^\d+$/.test(value)) return Number(value)
  const seconds = (Date.parse(value) - Date.parse(headers.get("date") ?? "")) / 1_000
  return Number.isFinite(seconds) ? Math.max(0, seconds) : null
}

// Of no type: what it holds is the contract's promise.
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

const strangeness = (status: number, json: unknown): string => {
  if (status === 0 || (status >= 300 && status < 400)) return "requests are not redirected; see baseUrl"
  if (status >= 400) return "not with a problem document; see baseUrl, and what is on the way"
  return json === undefined || json === null ? "not with JSON; see baseUrl" : "not with what was asked for; see baseUrl"
}

/**
 * The body of a success, whose shape is the contract's promise and not looked at
 * again. Throws what anything else stands for.
 */
export const bodyOf = ({ headers, status, text }: Answer, sent: Sent) => {
  if (status === 204) return undefined
  const json = parse(text)
  if (status >= 200 && status < 300 && typeof json === "object" && json !== null) return json
  const retryAfter = retryAfterOf(headers)
  if (status >= 400 && isProblem(json)) throw new SolarSitesProblem(json, sent, retryAfter)
  const answer = { status, retryAfter, requestId: headers.get("x-request-id") }
  throw new SolarSitesAnswerError(answer, strangeness(status, json), sent)
}

/**
 * Sends one request to the console's own endpoints, with the errors of the typed
 * client and without retries.
 */
import {
  SolarSitesAnswerError,
  SolarSitesNetworkError,
  SolarSitesProblem,
  SolarSitesTimeoutError
} from "@solar-sites/http-node/client"

export interface Call {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  /** Sent as it is, in place of a body. */
  readonly file?: Blob
  readonly accept?: string
  readonly timeoutMillis?: number
}

type Problem = ConstructorParameters<typeof SolarSitesProblem>[0]

const csvTimeoutMillis = 600_000

// Untyped: the server guarantees the shape.
const parse = (text: string) => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isProblem = (json: unknown): json is Problem =>
  typeof json === "object" && json !== null && "code" in json && "status" in json && "detail" in json

const secondsOf = (headers: Headers): number | null => {
  const value = headers.get("retry-after") ?? ""
  return /^\d+$/.test(value) ? Number(value) : null
}

const answerOf = async ({
  accept = "application/json",
  body,
  file,
  method,
  path,
  timeoutMillis = 30_000
}: Call): Promise<{ response: Response; text: string }> => {
  const sent = { what: `${method} ${path}`, attempts: 1 }
  const signal = AbortSignal.timeout(timeoutMillis)
  try {
    const response = await fetch(path, {
      method,
      signal,
      credentials: "same-origin",
      cache: "no-store",
      redirect: "error",
      headers: {
        accept,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(file === undefined ? {} : { "content-type": "application/octet-stream" })
      },
      body: body === undefined ? (file ?? null) : JSON.stringify(body)
    })
    return { response, text: await response.text() }
  } catch (cause) {
    if (signal.aborted) throw new SolarSitesTimeoutError(sent, timeoutMillis)
    throw new SolarSitesNetworkError(sent, cause)
  }
}

const refusalOf = (call: Call, response: Response, json: unknown): Error => {
  const sent = { what: `${call.method} ${call.path}`, attempts: 1 }
  const retryAfter = secondsOf(response.headers)
  if (isProblem(json)) return new SolarSitesProblem(json, sent, retryAfter)
  const about = { status: response.status, requestId: response.headers.get("x-request-id"), retryAfter }
  return new SolarSitesAnswerError(about, "not as the server of the console does", sent)
}

/** The body of a success; the server guarantees its shape. */
export const exchange = async (call: Call) => {
  const { response, text } = await answerOf(call)
  const json = parse(text)
  if (response.ok && (text === "" || json !== undefined)) return json
  throw refusalOf(call, response, json)
}

/** The body of a success, which is CSV. */
export const exchangeCsv = async (given: Call): Promise<Blob> => {
  const call = { ...given, accept: "text/csv" }
  const { response, text } = await answerOf(call)
  if (!response.ok) throw refusalOf(call, response, parse(text))
  return new Blob([text], { type: "text/csv" })
}

/** A whole list as CSV. The path is one of the API, such as `/api/events`, with its query. */
export const requestCsv = (path: string): Promise<Blob> =>
  exchangeCsv({ method: "GET", path: `/console${path}`, timeoutMillis: csvTimeoutMillis })

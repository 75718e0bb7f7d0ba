/**
 * Sends the requests of the client, with the API key if there is one, and retries them where it is
 * safe.
 */

import {
  type Sent,
  SolarSitesAnswerError,
  SolarSitesNetworkError,
  SolarSitesProblem,
  SolarSitesTimeoutError
} from "./ClientErrors.ts"
import type { CallOptions, ChangeOptions, ClientOptions, CreateOptions, Fetch } from "./ClientOptions.ts"
import { bodyOf } from "./ResponseParsing.ts"
import { makePauses, pause, within } from "./Retry.ts"

/** One request of the contract. */
interface Call {
  readonly method: "GET" | "POST" | "PUT" | "DELETE"
  readonly path: string
  readonly query?: object | undefined
  readonly body?: unknown
  /** A retry that finds no resource has succeeded: an earlier attempt deleted it. */
  readonly deletes?: boolean
}

/** Returns the body of the response, of the type in the contract. */
export type Transport = <A>(call: Call, options?: CallOptions & CreateOptions & ChangeOptions) => Promise<A>

const defaultTimeoutMillis = 30_000

// 502 and 504 come from gateways that did not reach the service.
const retryableStatuses: ReadonlyArray<number> = [429, 502, 503, 504]

// `randomUUID` does not exist on pages without TLS.
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("")

/** A list is a repeated parameter. */
const queryOf = (query: object = {}): string => {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    const values: ReadonlyArray<unknown> = Array.isArray(value) ? value : [value]
    for (const one of values) if (one !== undefined && one !== null) parameters.append(name, String(one))
  }
  const text = parameters.toString()
  return text === "" ? "" : `?${text}`
}

// A path stays a path until a request is sent: server-side rendering has no page address.
const checkedBase = (baseUrl: unknown): string => {
  const text = String(baseUrl)
  const url = URL.canParse(text) ? new URL(text) : undefined
  const fits =
    url === undefined ? text.startsWith("/") : /^https?:$/.test(url.protocol) && url.username + url.password === ""
  if (fits && !/[?#]/.test(text)) return text.replace(/\/+$/, "")
  throw new TypeError(
    "baseUrl: an http or https address without user name, password, query and fragment, or in a page a path such as /solar"
  )
}

// An invalid header value would appear in the error of `fetch`.
const checkedKey = (apiKey: unknown): string | undefined => {
  if (apiKey === undefined || (typeof apiKey === "string" && /^[\x21-\x7e]+$/.test(apiKey))) return apiKey
  throw new TypeError("apiKey: not a key; only visible ASCII characters, without white space around them")
}

/** Throws for unknown options. `own` is the option of this call beside those of all calls. */
export const checkCall = (options: CallOptions, own: string | undefined): void => {
  const known = ["signal", "timeoutMillis", own]
  // Inherited members too: finds a signal passed in place of the options.
  for (const name in options) {
    if (!known.includes(name)) {
      throw new TypeError(`${name}: no option of this call, which has ${known.filter(Boolean).join(", ")}`)
    }
  }
  const { signal } = options
  if (signal && !("aborted" in signal))
    throw new TypeError("signal: an AbortSignal, such as the signal of an AbortController")
}

/** True if the error, or one of its causes, contains the key. */
const containsKey = (key: string, error: unknown): boolean =>
  error instanceof Error
    ? `${error.message} ${error.stack}`.includes(key) || containsKey(key, error.cause)
    : String(error).includes(key)

type ClientError = SolarSitesProblem | SolarSitesAnswerError | SolarSitesNetworkError

const isClientError = (error: unknown): error is ClientError =>
  error instanceof SolarSitesProblem ||
  error instanceof SolarSitesAnswerError ||
  error instanceof SolarSitesNetworkError

// `idempotency_key_in_use`: an earlier attempt is still running, and its response is wanted.
const isRetryable = (error: ClientError, attempts: number): boolean =>
  error instanceof SolarSitesNetworkError ||
  retryableStatuses.includes(error.status) ||
  (attempts > 1 && error.code === "idempotency_key_in_use")

/** True if the request may have been carried out. */
const isUnsure = (error: ClientError): boolean => error instanceof SolarSitesNetworkError || error.status > 500

const isAbsent = (error: ClientError): boolean =>
  error instanceof SolarSitesProblem && error.status === 404 && error.code !== "route_not_found"

/** The global `fetch` is read per request: a page may replace it. */
export const fetchOf = (given: Fetch | undefined): Fetch => given ?? ((request) => globalThis.fetch(request))

/** Throws a `TypeError` for an invalid address or key; each call rejects with one for its options. */
export const makeTransport = (client: ClientOptions): Transport => {
  const base = checkedBase(client?.baseUrl)
  const key = checkedKey(client.apiKey)
  const fetch = fetchOf(client.fetch)

  const headersOf = ({ body, method }: Call, { idempotencyKey, expectedVersion }: CreateOptions & ChangeOptions) => ({
    accept: "application/json",
    ...(key === undefined ? {} : { "x-api-key": key }),
    ...(body === undefined ? {} : { "content-type": "application/json" }),
    ...(method === "POST" ? { "idempotency-key": idempotencyKey ?? newKey() } : {}),
    ...(expectedVersion === undefined ? {} : { "if-match": `"${expectedVersion}"` })
  })

  const exchange = async (request: Request, sent: Sent) => {
    try {
      const response = await fetch(request)
      return { status: response.status, headers: response.headers, text: await response.text() }
    } catch (cause) {
      throw new SolarSitesNetworkError(sent, key !== undefined && containsKey(key, cause) ? undefined : cause)
    }
  }

  return async (call, options = {}) => {
    const { body, deletes = false, method, path, query } = call
    checkCall(
      options,
      method === "POST" ? "idempotencyKey" : method === "PUT" || method === "DELETE" ? "expectedVersion" : undefined
    )
    const { signal, timeoutMillis = client.timeoutMillis ?? defaultTimeoutMillis } = options
    const nextPause = makePauses(client.retry === false ? { attempts: 1 } : (client.retry ?? {}))
    // A redirect would send the key to another server.
    const init = { method, headers: headersOf(call, options), redirect: "manual" } as const
    const text = body === undefined ? null : JSON.stringify(body)
    let unsure = false
    for (let attempts = 1; ; attempts += 1) {
      const sent: Sent = { what: `${method} ${path}`, attempts }
      const limits = { signal, timeoutMillis, timeoutError: () => new SolarSitesTimeoutError(sent, timeoutMillis) }
      try {
        const answer = await within(limits, (signal) =>
          exchange(new Request(`${base}${path}${queryOf(query)}`, { ...init, body: text, signal }), sent)
        )
        return bodyOf(answer, sent)
      } catch (error) {
        signal?.throwIfAborted()
        if (!isClientError(error)) throw error
        if (deletes && unsure && isAbsent(error)) return undefined
        const wait = isRetryable(error, attempts)
          ? nextPause(error instanceof SolarSitesNetworkError ? null : error.retryAfter)
          : null
        if (wait === null) throw error
        unsure ||= isUnsure(error)
        await pause(wait, signal)
      }
    }
  }
}

/**
 * Sends requests, with the key if there is one, again where that is safe and promises something.
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

/** One request, as the contract has it. */
interface Call {
  readonly method: "GET" | "POST" | "PUT" | "DELETE"
  readonly path: string
  readonly query?: object | undefined
  readonly body?: unknown
  /** A resource that is not found after all has been deleted. */
  readonly deletes?: boolean
}

/** Gives the body of the answer, which is of the type that the contract says. */
export type Transport = <A>(call: Call, options?: CallOptions & CreateOptions & ChangeOptions) => Promise<A>

const defaultTimeoutMillis = 30_000

// 502 and 504 are said by gateways that have not reached the service.
const repeatable: ReadonlyArray<number> = [429, 502, 503, 504]

// Unlike `randomUUID` this is there on pages without TLS too.
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("")

const queryOf = (query: object = {}): string => {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null)
  const text = new URLSearchParams(Object.fromEntries(given.map(([name, value]) => [name, String(value)]))).toString()
  return text === "" ? "" : `?${text}`
}

// Pages that a server renders too make their client there, before there is an address that a path could be relative to.
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

// What is no header value would be repeated by the error of whoever refuses it.
const checkedKey = (apiKey: unknown): string | undefined => {
  if (apiKey === undefined || (typeof apiKey === "string" && /^[\x21-\x7e]+$/.test(apiKey))) return apiKey
  throw new TypeError("apiKey: not a key; only visible ASCII characters, without white space around them")
}

/** Throws when a call is told what nobody would heed; `own` is what it can be told beside what all can. */
export const checkCall = (options: CallOptions, own: string | undefined): void => {
  const known = ["signal", "timeoutMillis", own]
  // What is inherited too: a signal itself in the place of the options.
  for (const name in options) {
    if (!known.includes(name)) {
      throw new TypeError(`${name}: no option of this call, which has ${known.filter(Boolean).join(", ")}`)
    }
  }
  const { signal } = options
  if (signal && !("aborted" in signal))
    throw new TypeError("signal: an AbortSignal, such as the signal of an AbortController")
}

/** True of an error that says the key, itself or by what caused it. */
const says = (key: string, error: unknown): boolean =>
  error instanceof Error
    ? `${error.message} ${error.stack}`.includes(key) || says(key, error.cause)
    : String(error).includes(key)

type Own = SolarSitesProblem | SolarSitesAnswerError | SolarSitesNetworkError

const isOwn = (error: unknown): error is Own =>
  error instanceof SolarSitesProblem ||
  error instanceof SolarSitesAnswerError ||
  error instanceof SolarSitesNetworkError

// An earlier attempt of ours may still be under way; its answer is the one that we want.
const isRepeatable = (error: Own, attempts: number): boolean =>
  error instanceof SolarSitesNetworkError ||
  repeatable.includes(error.status) ||
  (attempts > 1 && error.code === "idempotency_key_in_use")

/** True when nobody knows whether the request was carried out. */
const isUnsure = (error: Own): boolean => error instanceof SolarSitesNetworkError || error.status > 500

const isAbsent = (error: Own): boolean =>
  error instanceof SolarSitesProblem && error.status === 404 && error.code !== "route_not_found"

/** Calls the `fetch` of now, which a page may have replaced since. */
export const fetchOf = (given: Fetch | undefined): Fetch => given ?? ((request) => globalThis.fetch(request))

/** Throws a `TypeError` when the address or the key cannot be one, as each call does of its options. */
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
      throw new SolarSitesNetworkError(sent, key !== undefined && says(key, cause) ? undefined : cause)
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
    // The key would go wherever a redirect leads to.
    const init = { method, headers: headersOf(call, options), redirect: "manual" } as const
    const text = body === undefined ? null : JSON.stringify(body)
    let unsure = false
    for (let attempts = 1; ; attempts += 1) {
      const sent: Sent = { what: `${method} ${path}`, attempts }
      const limits = { signal, timeoutMillis, tooLate: () => new SolarSitesTimeoutError(sent, timeoutMillis) }
      try {
        const answer = await within(limits, (signal) =>
          exchange(new Request(`${base}${path}${queryOf(query)}`, { ...init, body: text, signal }), sent)
        )
        return bodyOf(answer, sent)
      } catch (error) {
        signal?.throwIfAborted()
        if (!isOwn(error)) throw error
        if (deletes && unsure && isAbsent(error)) return undefined
        const wait = isRepeatable(error, attempts)
          ? nextPause(error instanceof SolarSitesNetworkError ? null : error.retryAfter)
          : null
        if (wait === null) throw error
        unsure ||= isUnsure(error)
        await pause(wait, signal)
      }
    }
  }
}

/** A client like a page of the console: with its origin, and the cookies of the server. */
import { expect } from "vitest"
import type { Login } from "../Operator.ts"

export interface Sent {
  /** Sent as JSON; text and streams are sent unchanged. */
  readonly body?: unknown
  /** An empty origin is not sent. */
  readonly headers?: Readonly<Record<string, string>>
  /** Closes the connection. */
  readonly signal?: AbortSignal
}

export interface Received {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly json: Readonly<Record<string, unknown>>
  /** The problem's code, or the status. */
  readonly outcome: string | number
}

type Fetch = (url: string, init: RequestInit) => Promise<Response>

const isSentUnchanged = (body: unknown): body is string | ReadableStream<Uint8Array> =>
  typeof body === "string" || body instanceof ReadableStream

export const browserOf = (address: string, origin = address, request: Fetch = fetch) => {
  let cookie = ""

  const send = async (line: string, { body, headers = {}, signal }: Sent = {}): Promise<Received> => {
    const [method = "", path = ""] = line.split(" ")
    const all = {
      cookie,
      ...(method === "GET" ? {} : { origin }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers
    }
    const response = await request(`${address}${path}`, {
      method,
      redirect: "manual",
      ...(signal === undefined ? {} : { signal }),
      headers: Object.entries(all).filter(([, value]) => value !== ""),
      ...(body === undefined ? {} : { body: isSentUnchanged(body) ? body : JSON.stringify(body), duplex: "half" })
    })
    const [set] = response.headers.getSetCookie()
    if (set !== undefined) cookie = set.includes("Max-Age=0") ? "" : (set.split(";")[0] ?? "")
    const text = await response.text()
    const isJson = /^application\/(problem\+)?json/.test(response.headers.get("content-type") ?? "")
    const json = isJson ? Object(JSON.parse(text)) : {}
    return { status: response.status, headers: response.headers, text, json, outcome: json.code ?? response.status }
  }

  const logIn = async ({ email, password }: Pick<Login, "email" | "password">): Promise<Received> => {
    const received = await send("POST /console/session", { body: { email, password } })
    expect([received.status, received.json["code"]]).toEqual([200, undefined])
    return received
  }

  return { send, logIn, cookie: () => cookie }
}

export type Browser = ReturnType<typeof browserOf>

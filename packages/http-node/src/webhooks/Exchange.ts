/**
 * One request to a receiver and its answer, on a connection of its own.
 */

import type { ClientRequest } from "node:http"
import { request as httpsRequest } from "node:https"
import { isIP, type LookupFunction } from "node:net"
import { type WebhookRequest, WebhookSendFailed, type WebhookSendFailure } from "@solar-sites/core"
import { Effect } from "effect"
import type { Receiver } from "./Receiver.ts"

// An import of the module would load Node's fetch.
const http = process.getBuiltinModule("node:http")

const maximumHeaderBytes = 16 * 1_024
const maximumBodyBytes = 64 * 1_024

/** State of an exchange, kept for the case that it is cut. */
export interface ExchangeState {
  status: number | null
  /** What fails if the connection breaks now. */
  reason: "connection" | "tls"
  errorCode: string
}

type Result = Effect.Effect<{ readonly status: number }, WebhookSendFailed>

const failed = (reason: WebhookSendFailure, detail: string, status: number | null = null): Result =>
  Effect.fail(new WebhookSendFailed({ reason, detail, status }))

/** Result of an exchange that ended, or was cut by a timeout. A status that has arrived counts. */
export const resultOf = ({ errorCode, reason, status }: ExchangeState, isTimeout: boolean): Result => {
  if (status === null) {
    if (isTimeout) return failed("timeout", "The receiver does not answer in time.")
    return failed(reason, `The ${reason === "tls" ? "TLS handshake" : "connection"} failed (${errorCode}).`)
  }
  return status >= 300 && status < 400
    ? failed("redirect", "The receiver redirects. Redirects are not followed.", status)
    : Effect.succeed({ status })
}

/** Gives the judged addresses to the socket, which asks for all of them or for one. */
const lookupOf =
  ({ addresses }: Receiver): LookupFunction =>
  (_, { all }, callback) => {
    const found = addresses.map((address) => ({ address, family: isIP(address) }))
    const [first = { address: "", family: 0 }] = found
    return all === true ? callback(null, found) : callback(null, first.address, first.family)
  }

const open = (receiver: Receiver, { body, headers }: WebhookRequest): ClientRequest => {
  const { host, isSecure, path, port } = receiver
  const options = {
    method: "POST",
    host,
    port,
    path,
    headers: { "user-agent": "Solar-Sites-Webhooks", ...headers, "content-length": Buffer.byteLength(body) },
    // One connection per request. The shared agent could use a proxy of the environment, which
    // resolves names again, and sessions of TLS that were verified before.
    agent: false,
    lookup: lookupOf(receiver),
    autoSelectFamily: true,
    maxHeaderSize: maximumHeaderBytes
  }
  // Explicit, because an environment variable of Node switches the default off.
  const verification = { rejectUnauthorized: true, servername: isIP(host) === 0 ? host : "" }
  return isSecure ? httpsRequest({ ...options, ...verification }) : http.request(options)
}

/**
 * Sends the request and reads the answer, of which only the status is used. Closes the connection
 * at its end and when interrupted. Keeps `state` up to date. The duration is not bounded here.
 */
export const exchange = (receiver: Receiver, request: WebhookRequest, state: ExchangeState): Result =>
  Effect.callback((resume) => {
    const client = open(receiver, request)
    client.once("socket", (socket) => {
      if (!receiver.isSecure) return
      socket.once("connect", () => (state.reason = "tls"))
      socket.once("secureConnect", () => (state.reason = "connection"))
    })
    client.once("response", (response) => {
      state.status = response.statusCode ?? null
      let bytes = 0
      response.on("data", (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes >= maximumBodyBytes) client.destroy()
      })
      // The receiver broke off: the status has arrived.
      response.on("error", () => {})
    })
    client.on("error", (error) => (state.errorCode = String(Reflect.get(error, "code") ?? "unknown")))
    client.once("close", () => resume(resultOf(state, false)))
    client.end(request.body)
    return Effect.sync(() => client.destroy())
  })

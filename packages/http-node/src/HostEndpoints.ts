/**
 * Endpoints of the host. They get the same request ids, problem documents, access lines and metrics
 * as all others.
 */
import type { Caller } from "@solar-sites/core"
import type { Effect, Scope } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import type { Refusal } from "./pipeline/Refused.ts"

/**
 * Runs an authentication of the host under the limit on failed ones, which bad API keys count
 * against too. A `HostRefused` with status 401 counts against the address of the client; a request
 * without a credential should not run here. An address over its limit is refused with 429 before the
 * authentication runs.
 */
export type LimitFailures = <A, R>(authentication: Effect.Effect<A, Refusal, R>) => Effect.Effect<A, Refusal, R>

/**
 * A request to an endpoint of the host. `clientAddress` is the text that limits count by: of IPv6 the
 * /64 network. `undefined` where the address is not known.
 */
export interface HostEndpointRequest {
  readonly request: HttpServerRequest.HttpServerRequest
  readonly params: Readonly<Record<string, string>>
  readonly clientAddress: string | undefined
  /** The body as JSON. Refuses another media type, deep nesting and a large body (1 MiB by default). */
  readonly readJson: (maximumBytes?: number) => Effect.Effect<unknown, Refusal>
  /** The body as it was sent, of any media type. Refuses a larger body. */
  readonly readBytes: (maximumBytes: number) => Effect.Effect<Uint8Array, Refusal>
  readonly limitFailures: LimitFailures
  /** Sets the caller for the access log. */
  readonly identify: (caller: Caller) => void
}

/**
 * Answers one method at one path such as `/pages/:id`, below the prefix; GET includes HEAD.
 * `Cache-Control` is `no-store` unless the response sets it. Other methods than GET are not
 * interrupted when the client disconnects.
 */
export interface HostEndpoint {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  readonly path: `/${string}`
  readonly serve: (
    request: HostEndpointRequest
  ) => Effect.Effect<HttpServerResponse.HttpServerResponse, Refusal, Scope.Scope>
}

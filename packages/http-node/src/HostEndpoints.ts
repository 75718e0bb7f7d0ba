/**
 * What a host adds to the HTTP binding: endpoints of its own, which get the same
 * request ids, problems, access lines and metrics as all others, and refusals
 * with problems of its own.
 *
 * @since 0.1.0
 */
import type { Caller } from "@solar-sites/core"
import type { Effect, Scope } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import type { Refusal } from "./pipeline/Refused.ts"

/**
 * Runs an authentication of the host under the limit on failed ones, which bad API
 * keys count against too. A `HostRefused` with status 401 counts against the address
 * of the request; one that has failed too often is refused with 429 before the
 * authentication runs.
 *
 * @category models
 * @since 0.1.0
 */
export type LimitFailures = <A>(authentication: Effect.Effect<A, Refusal>) => Effect.Effect<A, Refusal>

/**
 * A request to an endpoint of the host. `clientAddress` is what counts as one
 * address where clients are limited: of IPv6 the /64; `undefined` where none is
 * known.
 *
 * @category models
 * @since 0.1.0
 */
export interface HostEndpointRequest {
  readonly request: HttpServerRequest.HttpServerRequest
  readonly params: Readonly<Record<string, string>>
  readonly clientAddress: string | undefined
  /** The body as JSON, with the media type, the depth and the bytes (1 MiB by default) judged. */
  readonly readJson: (maximumBytes?: number) => Effect.Effect<unknown, Refusal>
  readonly limitFailures: LimitFailures
  /** Says who is calling, for the access log. */
  readonly identify: (caller: Caller) => void
}

/**
 * Answers one method at one path such as `/pages/:id`, below the prefix. HEAD
 * comes with GET. `Cache-Control` is `no-store` unless the answer says otherwise.
 * A change is not interrupted when the client goes away.
 *
 * @category models
 * @since 0.1.0
 */
export interface HostEndpoint {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  readonly path: `/${string}`
  readonly serve: (
    request: HostEndpointRequest
  ) => Effect.Effect<HttpServerResponse.HttpServerResponse, Refusal, Scope.Scope>
}

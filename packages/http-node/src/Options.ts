/**
 * What a host can decide about the HTTP binding.
 *
 * @since 0.1.0
 */
import type { StorageError, StorageKey } from "@solar-sites/core"
import { Context, type Effect, type Redacted, type Scope } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import type { ProblemCode } from "./contract/Problems.ts"
import type { HostEndpoint, LimitFailures } from "./HostEndpoints.ts"
import type { Refusal } from "./pipeline/Refused.ts"

/**
 * A request as the host's authentication sees it. `source` is the platform's
 * own request: an `IncomingMessage` or a web `Request`, of which the body must
 * not be read.
 *
 * @category models
 * @since 0.1.0
 */
export interface HostRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly source: object
}

/**
 * A caller that the host has authenticated; a `Caller` is one, and plain strings
 * will do. `organisationId` is a UUID, `userId` whatever the host calls its user.
 * Who comes with an `apiKeyId` has the rate limit of that key.
 *
 * @category models
 * @since 0.1.0
 */
export interface HostCaller {
  readonly organisationId: string
  readonly userId?: string | null | undefined
  readonly apiKeyId?: string | null | undefined
}

/**
 * What the host's authentication gets: the request, and the limit for an
 * authentication that can be tried out.
 *
 * @category models
 * @since 0.1.0
 */
export interface HostAuthenticationRequest extends HostRequest {
  readonly limitFailures: LimitFailures
}

/**
 * From a request to its caller; `null`, or nothing, leaves it to the API key. An
 * effect may refuse the request, for example with a `HostRefused`.
 *
 * @category models
 * @since 0.1.0
 */
export type HostAuthentication = (
  request: HostAuthenticationRequest
) =>
  | Effect.Effect<HostCaller | null | undefined, Refusal>
  | Promise<HostCaller | null | undefined>
  | HostCaller
  | null
  | undefined

/**
 * One served request, for the access log. Never holds a key or a query.
 * `durationMs` ends when the answer begins; `route` is the pattern of the path;
 * `userId` is there when the host itself has authenticated a user.
 *
 * @category models
 * @since 0.1.0
 */
export interface AccessLine {
  readonly requestId: string
  readonly method: string
  readonly route: string | null
  readonly status: number
  readonly durationMs: number
  readonly organisationId: string | null
  readonly apiKeyId: string | null
  readonly keyPrefix: string | null
  readonly userId?: string
}

/**
 * A request to a file that its storage refuses. It is answered with a problem document of these
 * members.
 *
 * @category models
 * @since 0.1.0
 */
export interface StorageRefused {
  readonly _tag: "StorageRefused"
  readonly status: number
  readonly code: string
  readonly title: string
  readonly detail: string
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * Given to the application of a storage.
 *
 * @category models
 * @since 0.1.0
 */
export interface StorageServing {
  /** Path before `/storage`; empty, or begins with a slash. */
  readonly prefix: string
  /**
   * To be called with the platform's own request before the first byte of its body is read, for
   * clients that wait for `100 Continue`.
   */
  readonly beforeReading: (source: object) => void
  /** To be called for each file that is stored; may fail without an effect on the file. */
  readonly onStored: (key: StorageKey) => Effect.Effect<void, unknown>
}

/**
 * The application of a storage that needs a server. Refusals, failures and defects are answered,
 * and the headers that all responses have in common are added, by the binding.
 *
 * @category models
 * @since 0.1.0
 */
export type StorageApp = (
  serving: StorageServing
) => Effect.Effect<
  HttpServerResponse.HttpServerResponse,
  StorageRefused | StorageError,
  HttpServerRequest.HttpServerRequest | Scope.Scope
>

/**
 * @category models
 * @since 0.1.0
 */
export interface HttpOptions {
  /** The path everything is mounted under, such as `/solar`. */
  readonly prefix?: `/${string}` | undefined
  /** What a proxy in front takes off every path, such as `/energy`, so that answers (`Location`) can name whole ones. */
  readonly publicPath?: `/${string}` | undefined
  /**
   * A second path, such as `/pages`, under which all that needs a caller is served
   * once more (`/pages/api/sites`), for an `authenticate` that goes by the path.
   */
  readonly secondPrefix?: `/${string}` | undefined
  /** Endpoints of the host, beside ours. */
  readonly endpoints?: ReadonlyArray<HostEndpoint> | undefined
  /**
   * Answers GET at paths below the prefix that nothing else answers, such as with a page. It may refuse, for example
   * with `new HostRefused(describeProblem("route_not_found"))`, which is the answer without this.
   */
  readonly notFound?: HostEndpoint["serve"] | undefined
  /** Answers what comes to `/storage/…` below the prefix: the `app` of a storage that needs a server, such as a folder. */
  readonly storage?: StorageApp | undefined
  /** Where `/` leads people to, such as `/docs`; without it there is nothing. */
  readonly home?: string | undefined
  /** Asked before the key. Callers that it names have no rate limit here: they are the host's to limit. */
  readonly authenticate?: HostAuthentication | undefined
  /**
   * How many requests a minute a key may make, and as many at once (default 600).
   * 0 switches this limit and the one on failed authentications off.
   */
  readonly rateLimitPerMinute?: number | undefined
  /**
   * Addresses and networks (`10.0.0.0/8`, `fd00::/8`) of the proxies in front,
   * whose `X-Forwarded-For` is believed; of nobody else it is.
   */
  readonly trustedProxies?: ReadonlyArray<string> | undefined
  /**
   * The address a request comes from, in place of the socket's. The fetch handler
   * sees no socket: without this it cannot limit failed authentications, and
   * `/metrics` needs a token.
   */
  readonly clientAddress?: ((request: HostRequest) => string | null | undefined) | undefined
  /**
   * Passes the origin under which a request came on to the storage, as the `RequestOrigin` of core: for a storage that
   * this same server serves, when clients reach it under several names. Taken from `Host`, and from `X-Forwarded-Host`
   * and `X-Forwarded-Proto` of `trustedProxies`.
   */
  readonly requestOrigin?: boolean | undefined
  /** Origins whose pages may call the API, such as `https://app.example.com`; each is named, `*` is refused. */
  readonly corsOrigins?: ReadonlyArray<string> | undefined
  /** The bearer token of `/metrics`. Without it clients on this machine alone read `/metrics`. */
  readonly metricsToken?: string | Redacted.Redacted<string> | undefined
  /** Checked by `/health/ready`, after those of the layer. */
  readonly healthChecks?: ReadonlyArray<HealthCheck> | undefined
  /** Called once per request, when its answer begins, and not waited for; should it fail, that is logged and no more. */
  readonly onRequest?: ((line: AccessLine) => void) | undefined
  /**
   * After how many seconds in which a client reads nothing of an answer its connection is closed (default 30). For the
   * Node listener alone; what calls the fetch handler has the connection.
   */
  readonly unreadTimeoutSeconds?: number | undefined
  /** True once the host means to stop; turns readiness red before anything is closed. */
  readonly isShuttingDown?: (() => boolean) | undefined
}

/**
 * Whether a dependency is up. A check that takes more than 2 s, fails or rejects is down.
 * Readiness then answers with `problem`; with null it shows the state and stays green.
 *
 * @category models
 * @since 0.1.0
 */
export interface HealthCheck {
  readonly name: string
  readonly problem: ProblemCode | null
  readonly isUp: Effect.Effect<boolean> | (() => boolean | PromiseLike<boolean>)
}

/**
 * The checks of the layer. Default: none.
 *
 * @category services
 * @since 0.1.0
 */
export const HealthChecks = Context.Reference<ReadonlyArray<HealthCheck>>("@solar-sites/http-node/HealthChecks", {
  defaultValue: () => []
})

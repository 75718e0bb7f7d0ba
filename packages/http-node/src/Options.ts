/** Options of the HTTP binding. */
import type { SignatureInvalid, StorageError, StorageKey, ValidationFailed } from "@solar-sites/core"
import { Context, type Effect, type Redacted, type Scope } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import type { ProblemCode } from "./contract/Problems.ts"
import type { HostEndpoint, LimitFailures } from "./HostEndpoints.ts"
import type { Refusal } from "./pipeline/Refused.ts"

/**
 * A request as the functions of the host get it. `source` is the platform's own request: an
 * `IncomingMessage` or a web `Request`. Its body must not be read.
 */
export interface HostRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly source: object
}

/**
 * A caller that the host has authenticated: a `Caller`, or plain strings. `organisationId` is a
 * UUID, `userId` any id of the host. A caller with an `apiKeyId` has the rate limit of that key.
 * Without `scopes` the caller may do everything. With `portfolioIds` it reaches these portfolios and their sites alone,
 * and nothing when the list is empty.
 */
export interface HostCaller {
  readonly organisationId: string
  readonly userId?: string | null | undefined
  readonly apiKeyId?: string | null | undefined
  readonly scopes?: ReadonlyArray<string> | undefined
  readonly portfolioIds?: ReadonlyArray<string> | null | undefined
}

/** A request to the authentication of the host. `limitFailures` limits the attempts of a client. */
export interface HostAuthenticationRequest extends HostRequest {
  readonly limitFailures: LimitFailures
}

/**
 * Returns the caller of a request; `null` or `undefined` leaves the request to its API key. An
 * effect may refuse the request, for example with a `HostRefused`.
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
 * One request in the access log, without key and query. `route` is the pattern of the path.
 * `durationMs` ends when the response begins; for files it ends with the last byte. `userId` is
 * present when the host has authenticated a user.
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
 */
export interface StorageRefused {
  readonly _tag: "StorageRefused"
  readonly status: number
  readonly code: string
  readonly title: string
  readonly detail: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Given to the application of a storage. */
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
 */
export type StorageApp = (
  serving: StorageServing
) => Effect.Effect<
  HttpServerResponse.HttpServerResponse,
  StorageRefused | StorageError,
  HttpServerRequest.HttpServerRequest | Scope.Scope
>

/** Notifications of a storage about files that have arrived, such as those of S3. */
export interface StorageEvents {
  /** Expected as `Authorization: Bearer`, or in the query as `token`. */
  readonly token: string | Redacted.Redacted<string>
  /**
   * Returns the paths of arrived files that a body, any JSON, names. Repeated, late, unknown and foreign paths change
   * nothing. `ValidationFailed` refuses a body that is no notification (400), `SignatureInvalid` a message that its
   * sender has not signed (401); after `StorageError` the sender repeats it (503). Not interrupted.
   */
  readonly read: (
    body: unknown
  ) => Effect.Effect<ReadonlyArray<string>, SignatureInvalid | ValidationFailed | StorageError>
}

export interface HttpOptions {
  /** Path that everything is mounted under, such as `/solar`. */
  readonly prefix?: `/${string}` | undefined
  /** Path prefix stripped by a reverse proxy, such as `/energy`; prepended to `Location`. */
  readonly publicPath?: `/${string}` | undefined
  /**
   * A second path, such as `/pages`. Endpoints that need a caller are served below it too
   * (`/pages/api/sites`), for an `authenticate` that depends on the path.
   */
  readonly secondPrefix?: `/${string}` | undefined
  /** Endpoints of the host. */
  readonly endpoints?: ReadonlyArray<HostEndpoint> | undefined
  /**
   * Answers GET at unknown paths below the prefix, for example with a page. It may refuse, for example with
   * `new HostRefused(describeProblem("route_not_found"))`, which is the default.
   */
  readonly notFound?: HostEndpoint["serve"] | undefined
  /** Serves `/storage/…` below the prefix: the `app` of a storage that needs a server, such as a folder. */
  readonly storage?: StorageApp | undefined
  /** Serves `POST /storage-events` below the prefix. Without it the path does not exist. */
  readonly storageEvents?: StorageEvents | undefined
  /** Redirect target of `/`, such as `/docs`; by default `/` does not exist. */
  readonly home?: string | undefined
  /** Runs before the check of the key. Callers that it returns have no rate limit here. */
  readonly authenticate?: HostAuthentication | undefined
  /**
   * Requests per minute of a key, with a burst of as many (default 600). 0 switches this limit and
   * the one on failed authentications off.
   */
  readonly rateLimitPerMinute?: number | undefined
  /**
   * Addresses and networks (`10.0.0.0/8`, `fd00::/8`) of reverse proxies. `X-Forwarded-For` is read
   * from these peers only.
   */
  readonly trustedProxies?: ReadonlyArray<string> | undefined
  /**
   * Returns the address of the client, in place of the socket. The fetch handler has no socket:
   * without this it cannot limit failed authentications, and `/metrics` needs a token.
   */
  readonly clientAddress?: ((request: HostRequest) => string | null | undefined) | undefined
  /**
   * Provides the origin of a request as `RequestOrigin` of core, for a storage on this server that clients reach by
   * several names. Read from `Host`, and from `X-Forwarded-Host` and `X-Forwarded-Proto` of `trustedProxies`.
   */
  readonly requestOrigin?: boolean | undefined
  /** Origins of pages that may call the API and use files, such as `https://app.example.com`; `*` is refused. */
  readonly corsOrigins?: ReadonlyArray<string> | undefined
  /**
   * Compresses lists and other large responses without secrets, as `Accept-Encoding` allows. By
   * default with requests of `node:http` only, because frameworks may drop `Content-Encoding` of the
   * fetch handler.
   */
  readonly compression?: boolean | undefined
  /** The bearer token of `/metrics`. Without it clients on this machine alone read `/metrics`. */
  readonly metricsToken?: string | Redacted.Redacted<string> | undefined
  /** Checked by `/health/ready`, after those of the layer. */
  readonly healthChecks?: ReadonlyArray<HealthCheck> | undefined
  /** Called once per request when its response begins, or for files when it ends. Errors are logged and ignored. */
  readonly onRequest?: ((line: AccessLine) => void) | undefined
  /**
   * Timeout in seconds of a response that its client does not read (default 30); then the connection is closed. For
   * the Node listener only.
   */
  readonly unreadTimeoutSeconds?: number | undefined
  /** True once the host stops; readiness is red from then on. */
  readonly isShuttingDown?: (() => boolean) | undefined
}

/**
 * Whether a dependency is up. A check that takes more than 2 s, fails or rejects is down.
 * Readiness then answers with `problem`; with null it shows the state and stays green. The failure of
 * an Effect is the reason, as the detail of the problem: all clients can read it.
 */
export interface HealthCheck {
  readonly name: string
  readonly problem: ProblemCode | null
  readonly isUp: Effect.Effect<boolean, string> | (() => boolean | PromiseLike<boolean>)
}

/** The checks of the layer. Default: none. */
export const HealthChecks = Context.Reference<ReadonlyArray<HealthCheck>>("@solar-sites/http-node/HealthChecks", {
  defaultValue: () => []
})

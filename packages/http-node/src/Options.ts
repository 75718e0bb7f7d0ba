/**
 * What a host can decide about the HTTP binding.
 *
 * @since 0.1.0
 */
import type { Caller } from "@solar-sites/core"
import { Context, type Effect } from "effect"
import type { ProblemCode } from "./contract/Problems.ts"

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
 * A caller that the host has authenticated. Plain strings will do.
 *
 * @category models
 * @since 0.1.0
 */
export type HostCaller = Caller | { readonly organisationId: string; readonly userId?: string | null }

/**
 * From a request to its caller; `null` leaves it to the API key.
 *
 * @category models
 * @since 0.1.0
 */
export type HostAuthentication = (request: HostRequest) => Promise<HostCaller | null> | HostCaller | null

/**
 * One served request, for the access log. Never holds a key or a query.
 * `durationMs` ends when the answer begins; `route` is the pattern of the path.
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
}

/**
 * @category models
 * @since 0.1.0
 */
export interface HttpOptions {
  /** The path everything is mounted under, such as `/solar`. */
  readonly prefix?: `/${string}` | undefined
  /** Where `/` leads people to, such as `/docs`; without it there is nothing. */
  readonly home?: string | undefined
  readonly authenticate?: HostAuthentication | undefined
  /** Called once per request, when its answer begins. It must not throw. */
  readonly onRequest?: ((line: AccessLine) => void) | undefined
  /** True once the host means to stop; turns readiness red before anything is closed. */
  readonly isShuttingDown?: (() => boolean) | undefined
}

/**
 * Whether something the service needs is up, and the problem readiness answers
 * with when it is not.
 *
 * @category models
 * @since 0.1.0
 */
export interface HealthCheck {
  readonly name: string
  readonly problem: ProblemCode
  readonly isUp: Effect.Effect<boolean>
}

/**
 * What readiness looks at: nothing, unless a layer says otherwise.
 *
 * @category services
 * @since 0.1.0
 */
export const HealthChecks = Context.Reference<ReadonlyArray<HealthCheck>>("@solar-sites/http-node/HealthChecks", {
  defaultValue: () => []
})

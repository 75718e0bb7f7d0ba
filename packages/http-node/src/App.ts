/**
 * The whole HTTP application as one effect from a request to its answer: route,
 * caller, endpoint, and on every way out the same headers, problems and access
 * line (specification, sections 3 and 7).
 */
import {
  ApiKeys,
  type Caller,
  CurrentCaller,
  IdempotencyStore,
  IdGenerator,
  makeUuidV7,
  RateLimiter,
  type SolarSitesServices
} from "@solar-sites/core"
import { Cause, Clock, type Context, Effect, type Scope } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import type { ProblemCode } from "./contract/Problems.ts"
import { documentsHandlers } from "./handlers/DocumentsHandlers.ts"
import { homeAt } from "./handlers/HomeHandler.ts"
import { guardMetrics } from "./handlers/MetricsHandler.ts"
import { portfoliosHandlers } from "./handlers/PortfoliosHandlers.ts"
import { sitesHandlers } from "./handlers/SitesHandlers.ts"
import { systemHandlers } from "./handlers/SystemHandlers.ts"
import type { HttpOptions } from "./Options.ts"
import { tellerOf } from "./pipeline/AccessLines.ts"
import { type Authenticated, authenticator, HostMistake } from "./pipeline/Authenticate.ts"
import { clientAddressOf } from "./pipeline/ClientAddress.ts"
import { corsOf } from "./pipeline/Cors.ts"
import type { ServedEndpoint } from "./pipeline/Endpoint.ts"
import { type AddressLimit, addressLimitOf } from "./pipeline/FailedAuthentications.ts"
import { servingHost } from "./pipeline/HostEndpoint.ts"
import { makeRunOnce } from "./pipeline/Idempotency.ts"
import { counted, type LoadShedding } from "./pipeline/LoadShedding.ts"
import { problemResponse } from "./pipeline/ProblemResponse.ts"
import { isLimited, keyLimitOf } from "./pipeline/RateLimit.ts"
import { asRefused, type Refusal, Refused, refuse } from "./pipeline/Refused.ts"
import { isRequestId } from "./pipeline/RequestId.ts"
import { begin, measure } from "./pipeline/RequestMetrics.ts"
import { passingOrigin } from "./pipeline/RequestOrigin.ts"
import { allow, router } from "./pipeline/Routing.ts"
import { besideStorage } from "./pipeline/Storage.ts"
import { traced } from "./pipeline/Tracing.ts"
import { warningOfProxies } from "./pipeline/UntrustedProxies.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

/** Never fails; what goes wrong is answered. */
export type App = Effect.Effect<Response, never, HttpServerRequest.HttpServerRequest | Scope.Scope>

/** What becomes known of a request while it is served. */
interface Exchange {
  readonly requestId: string
  readonly startedAt: number
  route: string | null
  authenticated: Authenticated | null
  /** What the answer says of the limit of the key or of its organisation. */
  limits: Readonly<Record<string, string>> | null
}

const clientClosed = HttpServerResponse.empty({ status: 499 })

/** Where the host has mounted us, when it strips that from the address (Express does). */
const mountOf = (source: object): string =>
  "baseUrl" in source && typeof source.baseUrl === "string" ? source.baseUrl : ""

/** The user behind a call without a key; with one the key says more. */
const userOf = (authenticated: Authenticated | null): { readonly userId?: string } => {
  const caller = authenticated?.caller
  return caller?.apiKeyId === null && caller.userId !== null ? { userId: caller.userId } : {}
}

// Finds the route at once, and the answer when it is run.
type Dispatch = (request: Request, exchange: Exchange) => Effect.Effect<Response, Refusal, Scope.Scope>

const onFailure = (cause: Cause.Cause<Refusal>, { requestId, route }: Exchange): Effect.Effect<Response> => {
  if (Cause.hasInterruptsOnly(cause)) return Effect.succeed(clientClosed)
  const refusal = cause.reasons.find(Cause.isFailReason)?.error
  const response = problemResponse(
    refusal === undefined ? new Refused({ code: "internal" }) : asRefused(refusal),
    requestId
  )
  if (response.status < 500 || refusal?._tag === "Refused" || refusal?._tag === "HostRefused")
    return Effect.succeed(response)
  const log = response.status === 500 ? Effect.logError : Effect.logWarning
  const defect = cause.reasons.find(Cause.isDieReason)?.defect
  // Where the mistake was noticed is of no use to who has made it.
  const said = defect instanceof HostMistake ? log(defect.message) : log("A request failed", cause)
  return Effect.as(Effect.annotateLogs(said, { requestId, route }), response)
}

/** What is called at once can throw at once: functions of the host do. */
const dispatching =
  (dispatch: Dispatch): Dispatch =>
  (request, exchange) => {
    try {
      return dispatch(request, exchange)
    } catch (defect) {
      return Effect.die(defect)
    }
  }

/** What every answer has in common, around whatever finds the answer. */
const answering = ({ corsOrigins, onRequest }: HttpOptions, locate: Dispatch): App => {
  const nextRequestId = makeUuidV7()
  const cors = corsOf(corsOrigins)
  const dispatch = dispatching(locate)
  const tell = tellerOf(onRequest)

  const finish = (
    request: Request,
    response: Response,
    exchange: Exchange,
    now: number,
    context: Context.Context<never>
  ): Response => {
    const { authenticated, limits, requestId, route, startedAt } = exchange
    const line = { method: request.method, route, status: response.status, durationMs: now - startedAt }
    measure(line, context)
    tell?.(
      {
        requestId,
        ...line,
        organisationId: authenticated?.caller.organisationId ?? null,
        apiKeyId: authenticated?.caller.apiKeyId ?? null,
        keyPrefix: authenticated?.keyPrefix ?? null,
        ...userOf(authenticated)
      },
      context
    )
    return HttpServerResponse.setHeaders(response, {
      "x-request-id": requestId,
      "cache-control": response.headers["cache-control"] ?? "no-store",
      "x-content-type-options": "nosniff",
      ...limits,
      ...cors.headersFor(request)
    })
  }

  const respond = (request: Request, requestId: string) =>
    Effect.withFiber((fiber) => {
      const { context } = fiber
      const clock = fiber.getRef(Clock.Clock)
      const milliseconds = () => Number(clock.currentTimeNanosUnsafe() / 1_000n) / 1_000
      const exchange: Exchange = {
        requestId,
        startedAt: milliseconds(),
        route: null,
        authenticated: null,
        limits: null
      }
      begin(context)
      const answer = Effect.catchCause(dispatch(request, exchange), (cause) => onFailure(cause, exchange))
      const finished = Effect.map(answer, (response) => finish(request, response, exchange, milliseconds(), context))
      return traced(request, exchange.route, finished)
    })

  return Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
    const sent = request.headers["x-request-id"]
    return isRequestId(sent)
      ? respond(request, sent)
      : Effect.flatMap(nextRequestId, (requestId) => respond(request, requestId))
  })
}

/** An application that refuses everything. */
export const refusing = (options: HttpOptions, code: ProblemCode): App => answering(options, () => refuse(code))

const unlimited: AddressLimit = (_, authentication) => Effect.interruptible(authentication)

/** The application over the rules; with `load` it counts there what waits. */
export const makeApp = (
  options: HttpOptions,
  load?: LoadShedding
): Effect.Effect<App, never, SolarSitesServices.SolarSitesServices | IdempotencyStore | RateLimiter | Scope.Scope> =>
  Effect.gen(function* () {
    const { secondPrefix, endpoints = [], prefix = "", publicPath = "" } = options
    const addressOf = clientAddressOf(options)
    const limiter = yield* RateLimiter
    const addressLimit = isLimited(options.rateLimitPerMinute) ? addressLimitOf(limiter, addressOf) : unlimited
    const guard = guardMetrics(addressOf, options.metricsToken)
    const hosting = servingHost(addressOf, addressLimit)
    const { notFound } = options
    const absent = notFound === undefined ? undefined : hosting({ method: "GET", path: "/", serve: notFound })
    const served: ReadonlyArray<ServedEndpoint> = [
      ...(yield* sitesHandlers),
      ...(yield* portfoliosHandlers),
      ...(yield* documentsHandlers),
      ...(yield* systemHandlers(publicPath + prefix, options.isShuttingDown ?? (() => false))).map(guard),
      ...(options.home === undefined ? [] : [homeAt(options.home)]),
      ...endpoints.map(hosting)
    ]
    const locate = router(served)
    const again = served.filter(({ requiresCaller }) => secondPrefix !== undefined && requiresCaller)
    const locateAgain = router(again.map((endpoint) => ({ ...endpoint, path: `${secondPrefix}${endpoint.path}` })))
    const runOnce = makeRunOnce(yield* IdempotencyStore, yield* IdGenerator)
    const { preflight } = corsOf(options.corsOrigins)
    const keyLimit = keyLimitOf(limiter, options.rateLimitPerMinute)
    const authenticate = authenticator(yield* ApiKeys, addressLimit, options.authenticate)

    const dispatch: Dispatch = (request, exchange) => {
      const { method, source, url } = request
      const [path = "", ...query] = url.split("?")
      const own = path.startsWith(prefix) ? locate(path.slice(prefix.length)) : undefined
      const located = own ?? locateAgain(path)
      const isRead = method === "GET" || method === "HEAD"
      const identify = (caller: Caller) => {
        exchange.authenticated = { caller, keyPrefix: null }
      }
      const base = publicPath + mountOf(source) + (own === undefined ? (secondPrefix ?? "") : prefix)
      const sent = { request, query: query.join("?"), base, runOnce, identify }
      if (located === undefined) {
        if (absent === undefined || !isRead || !path.startsWith(prefix)) return refuse("route_not_found")
        // An endpoint of the host requires no service.
        return absent.serve({ ...sent, params: {} }) as Effect.Effect<Response, Refusal, Scope.Scope>
      }
      const { methods, params } = located
      exchange.route = located.path
      const endpoint = methods.get(isRead ? "GET" : method)
      if (endpoint === undefined) {
        const headers = { allow: allow(methods) }
        if (method !== "OPTIONS") return refuse("method_not_allowed", { headers })
        const all = { ...headers, ...preflight(request, headers.allow) }
        return Effect.succeed(HttpServerResponse.empty({ status: 204, headers: all }))
      }
      const incoming = { ...sent, params }
      // What needs no key looks at no caller, which the type of all endpoints cannot say.
      if (!endpoint.requiresCaller) return endpoint.serve(incoming) as Effect.Effect<Response, Refusal, Scope.Scope>
      return Effect.flatMap(authenticate(request), (authenticated) => {
        exchange.authenticated = authenticated
        const answer = Effect.provideService(endpoint.serve(incoming), CurrentCaller, authenticated.caller)
        return Effect.flatMap(keyLimit(authenticated.caller), (limits) => {
          if (limits === null) return answer
          exchange.limits = limits.headers
          return limits.refusal ?? answer
        })
      })
    }
    const withOrigin = passingOrigin(options)
    const warn = warningOfProxies(options)
    const answer: Dispatch = (request, exchange) => warn(request, withOrigin(request, dispatch(request, exchange)))
    const app = answering(options, load === undefined ? answer : counted(load, answer))
    return besideStorage(options, app)
  })

/**
 * Routes requests: route, caller, rate limit, endpoint, in the order of the specification
 * (section 7).
 */
import {
  ApiKeys,
  type Caller,
  CurrentCaller,
  Documents,
  IdempotencyStore,
  IdGenerator,
  RateLimiter,
  type SolarSitesServices
} from "@solar-sites/core"
import { Effect, type Scope } from "effect"
import { HttpServerResponse } from "effect/http"
import type { HostEndpoint, HostEndpointRequest } from "./HostEndpoints.ts"
import { coverageHandlers } from "./handlers/CoverageHandlers.ts"
import { documentsHandlers } from "./handlers/DocumentsHandlers.ts"
import { eventsHandlers } from "./handlers/EventsHandlers.ts"
import { guardMetrics } from "./handlers/MetricsHandler.ts"
import { portfoliosHandlers } from "./handlers/PortfoliosHandlers.ts"
import { requirementsHandlers } from "./handlers/RequirementsHandlers.ts"
import { sitesHandlers } from "./handlers/SitesHandlers.ts"
import { storageEventsEndpoint } from "./handlers/StorageEventsHandler.ts"
import { systemHandlers } from "./handlers/SystemHandlers.ts"
import { webhooksHandlers } from "./handlers/WebhooksHandlers.ts"
import type { HttpOptions } from "./Options.ts"
import { type App, answering, type Dispatch } from "./pipeline/Answering.ts"
import { authenticator } from "./pipeline/Authenticate.ts"
import { addressName, type ClientAddress, clientAddressOf, warningOfProxies } from "./pipeline/ClientAddress.ts"
import { compressionOf } from "./pipeline/Compression.ts"
import { corsOf } from "./pipeline/Cors.ts"
import type { ServedEndpoint } from "./pipeline/Endpoint.ts"
import { type AddressLimit, addressLimitOf } from "./pipeline/FailedAuthentications.ts"
import { makeRunOnce } from "./pipeline/Idempotency.ts"
import { readBytes, readJson } from "./pipeline/JsonBody.ts"
import { counted, type LoadShedding } from "./pipeline/LoadShedding.ts"
import { isLimited, keyLimitOf } from "./pipeline/RateLimit.ts"
import { type Refusal, refuse } from "./pipeline/Refused.ts"
import { passingOrigin } from "./pipeline/RequestOrigin.ts"
import { allow, router } from "./pipeline/Routing.ts"
import { storageDispatch } from "./pipeline/Storage.ts"

type Answer = Effect.Effect<HttpServerResponse.HttpServerResponse, Refusal, Scope.Scope>

const unlimited: AddressLimit = (_, authentication) => Effect.interruptible(authentication)

/** Path that the host has mounted the application under and strips from `url`, as Express does. */
const mountOf = (source: object): string =>
  "baseUrl" in source && typeof source.baseUrl === "string" ? source.baseUrl : ""

const redirectTo = (location: string): ServedEndpoint => ({
  method: "GET",
  path: "/",
  requiresCaller: false,
  serve: () => Effect.succeed(HttpServerResponse.empty({ status: 302, headers: { location } }))
})

const servingHost =
  (addressOf: ClientAddress, limit: AddressLimit) =>
  ({ method, path, serve }: HostEndpoint): ServedEndpoint => ({
    method,
    path,
    requiresCaller: false,
    serve: ({ identify, params, request }) => {
      const address = addressOf(request)
      const incoming: HostEndpointRequest = {
        request,
        params,
        clientAddress: address === undefined ? undefined : addressName(address),
        // No change has begun while the body is read.
        readJson: (maximumBytes) =>
          Effect.interruptible(Effect.map(readJson(request, { maximumBytes }), ({ value }) => value)),
        readBytes: (maximumBytes) => Effect.interruptible(readBytes(request, maximumBytes)),
        limitFailures: (authentication) => limit(request, authentication),
        identify
      }
      const answer = Effect.suspend(() => serve(incoming))
      return method === "GET" ? Effect.interruptible(answer) : answer
    }
  })

/** All endpoints, and the one for paths that no endpoint has. */
const endpointsOf = Effect.fnUntraced(function* (
  options: HttpOptions,
  addressOf: ClientAddress,
  addressLimit: AddressLimit
) {
  const { endpoints = [], home, isShuttingDown = () => false, metricsToken, notFound, storageEvents } = options
  const guard = guardMetrics(addressOf, metricsToken)
  const hosting = servingHost(addressOf, addressLimit)
  const path = `${options.publicPath ?? ""}${options.prefix ?? ""}`
  const served: ReadonlyArray<ServedEndpoint> = [
    ...(yield* sitesHandlers),
    ...(yield* portfoliosHandlers),
    ...(yield* documentsHandlers),
    ...(yield* requirementsHandlers),
    ...(yield* coverageHandlers),
    ...(yield* eventsHandlers),
    ...(yield* webhooksHandlers),
    ...(yield* systemHandlers(path, isShuttingDown)).map(guard),
    ...(home === undefined ? [] : [redirectTo(home)]),
    ...(storageEvents === undefined ? [] : [hosting(storageEventsEndpoint(storageEvents, yield* Documents))]),
    ...endpoints.map(hosting)
  ]
  return { served, absent: notFound && hosting({ method: "GET", path: "/", serve: notFound }) }
})

/** The application over the rules. With `load`, requests are counted there while they wait. */
export const makeApp = (
  options: HttpOptions,
  load?: LoadShedding
): Effect.Effect<App, never, SolarSitesServices.SolarSitesServices | IdempotencyStore | RateLimiter | Scope.Scope> =>
  Effect.gen(function* () {
    const { prefix = "", publicPath = "", rateLimitPerMinute, secondPrefix } = options
    const addressOf = clientAddressOf(options)
    const limiter = yield* RateLimiter
    const addressLimit = isLimited(rateLimitPerMinute) ? addressLimitOf(limiter, addressOf) : unlimited
    const { absent, served } = yield* endpointsOf(options, addressOf, addressLimit)
    const locate = router(served)
    const again = served.filter(({ requiresCaller }) => secondPrefix !== undefined && requiresCaller)
    const locateAgain = router(again.map((endpoint) => ({ ...endpoint, path: `${secondPrefix}${endpoint.path}` })))
    const runOnce = makeRunOnce(yield* IdempotencyStore, yield* IdGenerator)
    const { preflight } = corsOf(options.corsOrigins)
    const keyLimit = keyLimitOf(limiter, rateLimitPerMinute)
    const compression = compressionOf(options.compression)
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
        return absent.serve({ ...sent, params: {} }) as Answer
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
      // An endpoint without a key does not use the caller, which the type of all endpoints cannot express.
      if (endpoint.isCompressible) exchange.compress = compression(request)
      if (!endpoint.requiresCaller) return endpoint.serve(incoming) as Answer
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
    const toApi: Dispatch = (request, exchange) => warn(request, withOrigin(request, dispatch(request, exchange)))
    const countedApi = load === undefined ? toApi : counted(load, toApi)
    const files = storageDispatch(options, yield* Documents)
    return answering(options, (request, exchange) => (files(request.url) ?? countedApi)(request, exchange))
  })

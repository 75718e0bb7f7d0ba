/**
 * The whole HTTP application as one effect from a request to its answer: route,
 * caller, endpoint, and on every way out the same headers, problems and access
 * line (specification, sections 3 and 7).
 */
import {
  ApiKeys,
  CurrentCaller,
  IdempotencyStore,
  IdGenerator,
  makeUuidV7,
  type SolarSitesServices
} from "@solar-sites/core"
import { Cause, Clock, Effect, type Scope } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import type { ProblemCode } from "./contract/Problems.ts"
import { documentsHandlers } from "./handlers/DocumentsHandlers.ts"
import { portfoliosHandlers } from "./handlers/PortfoliosHandlers.ts"
import { sitesHandlers } from "./handlers/SitesHandlers.ts"
import { systemHandlers } from "./handlers/SystemHandlers.ts"
import { type Authenticated, authenticator } from "./middleware/Authenticate.ts"
import type { ServedEndpoint } from "./middleware/Endpoint.ts"
import { makeRunOnce } from "./middleware/Idempotency.ts"
import { problemResponse } from "./middleware/ProblemResponse.ts"
import { asRefused, type Refusal, Refused, refuse } from "./middleware/Refused.ts"
import { allow, router } from "./middleware/Routing.ts"
import type { HttpOptions } from "./Options.ts"

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
}

const ownRequestId = /^[A-Za-z0-9-]{8,64}$/

/** What people find when they open the bare address. */
const homeAt = (location: string): ServedEndpoint => ({
  method: "GET",
  path: "/",
  keyed: false,
  serve: () => Effect.succeed(HttpServerResponse.empty({ status: 302, headers: { location } }))
})

const clientClosed = HttpServerResponse.empty({ status: 499 })

/** Where the host has mounted us, when it strips that from the address (Express does). */
const mountOf = (source: object): string =>
  "baseUrl" in source && typeof source.baseUrl === "string" ? source.baseUrl : ""

type Dispatch = (request: Request, exchange: Exchange) => Effect.Effect<Response, Refusal, Scope.Scope>

const onFailure = (cause: Cause.Cause<Refusal>, { requestId, route }: Exchange): Effect.Effect<Response> => {
  if (Cause.hasInterruptsOnly(cause)) return Effect.succeed(clientClosed)
  const refusal = cause.reasons.find(Cause.isFailReason)?.error
  const response = problemResponse(
    refusal === undefined ? new Refused({ code: "internal" }) : asRefused(refusal),
    requestId
  )
  if (response.status < 500 || refusal?._tag === "Refused") return Effect.succeed(response)
  const log = response.status === 500 ? Effect.logError : Effect.logWarning
  return Effect.as(Effect.annotateLogs(log("A request failed", cause), { requestId, route }), response)
}

/** What every answer has in common, around whatever finds the answer. */
const answering = ({ onRequest }: HttpOptions, dispatch: Dispatch): App => {
  const nextRequestId = makeUuidV7()

  const finish = (request: Request, response: Response, exchange: Exchange, now: number): Response => {
    const { authenticated, requestId, route, startedAt } = exchange
    onRequest?.({
      requestId,
      method: request.method,
      route,
      status: response.status,
      durationMs: now - startedAt,
      organisationId: authenticated?.caller.organisationId ?? null,
      apiKeyId: authenticated?.caller.apiKeyId ?? null,
      keyPrefix: authenticated?.keyPrefix ?? null
    })
    return HttpServerResponse.setHeaders(response, {
      "x-request-id": requestId,
      "cache-control": "no-store",
      "x-content-type-options": "nosniff"
    })
  }

  const respond = (request: Request, requestId: string) =>
    Clock.clockWith((clock) => {
      const milliseconds = () => Number(clock.currentTimeNanosUnsafe() / 1_000n) / 1_000
      const exchange: Exchange = { requestId, startedAt: milliseconds(), route: null, authenticated: null }
      return Effect.map(
        Effect.catchCause(dispatch(request, exchange), (cause) => onFailure(cause, exchange)),
        (response) => finish(request, response, exchange, milliseconds())
      )
    })

  return Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
    const sent = request.headers["x-request-id"]
    return sent !== undefined && ownRequestId.test(sent)
      ? respond(request, sent)
      : Effect.flatMap(nextRequestId, (requestId) => respond(request, requestId))
  })
}

/** An application that refuses everything. */
export const refusing = (options: HttpOptions, code: ProblemCode): App => answering(options, () => refuse(code))

/** The application over the rules. */
export const makeApp = (
  options: HttpOptions
): Effect.Effect<App, never, SolarSitesServices.SolarSitesServices | IdempotencyStore> =>
  Effect.gen(function* () {
    const prefix = options.prefix ?? ""
    const locate = router<ServedEndpoint>([
      ...(yield* sitesHandlers),
      ...(yield* portfoliosHandlers),
      ...(yield* documentsHandlers),
      ...(yield* systemHandlers(prefix, options.isShuttingDown ?? (() => false))),
      ...(options.home === undefined ? [] : [homeAt(options.home)])
    ])
    const runOnce = makeRunOnce(yield* IdempotencyStore, yield* IdGenerator)
    const authenticate = authenticator(yield* ApiKeys, options.authenticate)

    return answering(options, (request, exchange) => {
      const { method, source, url } = request
      const [path = "", ...query] = url.split("?")
      const located = path.startsWith(prefix) ? locate(path.slice(prefix.length)) : undefined
      if (located === undefined) return refuse("route_not_found")
      const { methods, params } = located
      exchange.route = located.path
      const endpoint = methods.get(method === "HEAD" ? "GET" : method)
      if (endpoint === undefined) {
        const headers = { allow: allow(methods) }
        return method === "OPTIONS"
          ? Effect.succeed(HttpServerResponse.empty({ status: 204, headers }))
          : refuse("method_not_allowed", { headers })
      }
      const incoming = { request, params, query: query.join("?"), base: mountOf(source) + prefix, runOnce }
      // What needs no key looks at no caller, which the type of all endpoints cannot say.
      if (!endpoint.keyed) return endpoint.serve(incoming) as Effect.Effect<Response, Refusal, Scope.Scope>
      return Effect.flatMap(Effect.interruptible(authenticate(request)), (authenticated) => {
        exchange.authenticated = authenticated
        return Effect.provideService(endpoint.serve(incoming), CurrentCaller, authenticated.caller)
      })
    })
  })

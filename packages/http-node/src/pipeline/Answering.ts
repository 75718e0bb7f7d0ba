/**
 * The outer layer of the pipeline. It adds to every response a request id, the common headers, a
 * problem document for a refusal, metrics, an access line and a span (specification, sections 3
 * and 7).
 */
import { makeUuidV7, RequestId } from "@solar-sites/core"
import { Cause, Clock, type Context, Effect, Exit, type Scope, Stream } from "effect"
import { HttpBody, HttpServerRequest, HttpServerResponse } from "effect/http"
import type { ProblemCode } from "../contract/Problems.ts"
import type { AccessLine, HttpOptions } from "../Options.ts"
import { type Authenticated, HostMistake } from "./Authenticate.ts"
import type { Compress } from "./Compression.ts"
import { type Cors, corsOf } from "./Cors.ts"
import { isUnderWay } from "./NodeBody.ts"
import { commonHeaders, problemResponse, sentRequestId } from "./ProblemResponse.ts"
import { asRefused, type Refusal, Refused, refuse } from "./Refused.ts"
import { makeRequestObserver } from "./RequestObserver.ts"
import { traced } from "./Tracing.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

/** The whole application; refusals and defects are responses too. */
export type App = Effect.Effect<Response, never, HttpServerRequest.HttpServerRequest | Scope.Scope>

/** What becomes known of a request while it is served. */
interface Exchange {
  readonly requestId: string
  /** Milliseconds of a monotonic clock. */
  readonly startedAt: number
  route: string | null
  authenticated: Authenticated | null
  /** Headers that describe the rate limit. */
  limits: Readonly<Record<string, string>> | null
  cors: Cors
  /** Set for files of a storage: organisation of an accepted address. */
  file: { organisationId: string | null } | null
  /** Set for operations with responses that may be compressed. */
  compress: Compress | undefined
}

/** Finds the route when it is called, and the response when its effect runs. */
export type Dispatch = (request: Request, exchange: Exchange) => Effect.Effect<Response, Refusal, Scope.Scope>

const clientClosedStatus = 499
const clientClosed = HttpServerResponse.empty({ status: clientClosedStatus })

/** The user of a caller without an API key; with one, the key identifies the caller. */
const userOf = (authenticated: Authenticated | null): { readonly userId?: string } => {
  const caller = authenticated?.caller
  return caller?.apiKeyId === null && caller.userId !== null ? { userId: caller.userId } : {}
}

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
  // The stack of a host mistake points into this package, not to the mistake.
  const logged = defect instanceof HostMistake ? log(defect.message) : log("A request failed", cause)
  return Effect.as(Effect.annotateLogs(logged, { requestId, route }), response)
}

/** The header `Vary` with both values; nothing when there is one at most. */
const varyOf = (own: string | undefined, cors: string | undefined): Readonly<Record<string, string>> | undefined =>
  own === undefined || cors === undefined ? undefined : { vary: `${own}, ${cors}` }

/** Functions of the host are called at once and can throw. */
const withoutThrowing =
  (dispatch: Dispatch): Dispatch =>
  (request, exchange) => {
    try {
      return dispatch(request, exchange)
    } catch (defect) {
      return Effect.die(defect)
    }
  }

/** Runs `onEnd` after the last byte of the body, or when the connection is lost before. */
const atBodyEnd = (response: Response, onEnd: (isComplete: boolean) => void): Response => {
  const { body } = response
  if (body._tag !== "Stream") {
    onEnd(true)
    return response
  }
  const stream = Stream.onExit(body.stream, (exit) => Effect.sync(() => onEnd(Exit.isSuccess(exit))))
  return HttpServerResponse.setBody(response, HttpBody.stream(stream, body.contentType, body.contentLength))
}

/** Adds to a dispatch all that responses have in common. */
export const answering = ({ corsOrigins, onRequest }: HttpOptions, locate: Dispatch): App => {
  const nextRequestId = makeUuidV7()
  const cors = corsOf(corsOrigins)
  const dispatch = withoutThrowing(locate)
  const observer = makeRequestObserver(onRequest)

  const finish = (
    request: Request,
    response: Response,
    exchange: Exchange,
    { context, now }: { readonly context: Context.Context<never>; readonly now: () => number }
  ): Response => {
    const { authenticated, cors, file, limits, requestId, route, startedAt } = exchange
    const { method } = request
    const isRefused = response.status >= 400
    const line = (status: number): AccessLine => ({
      requestId,
      method,
      route,
      status,
      durationMs: now() - startedAt,
      organisationId: authenticated?.caller.organisationId ?? file?.organisationId ?? null,
      apiKeyId: authenticated?.caller.apiKeyId ?? null,
      keyPrefix: authenticated?.keyPrefix ?? null,
      ...userOf(authenticated)
    })
    const begun = line(response.status)
    observer.measure(begun, context)
    const corsHeaders = cors.headersFor(request)
    const headed = HttpServerResponse.setHeaders(response, {
      ...commonHeaders(requestId),
      "cache-control": response.headers["cache-control"] ?? "no-store",
      ...limits,
      ...corsHeaders,
      ...varyOf(response.headers["vary"], corsHeaders["vary"]),
      // The rest of a refused file is not read, so the connection cannot be used again.
      ...(file !== null && isRefused && isUnderWay(request) ? { connection: "close" } : {})
    })
    if (file === null || method === "HEAD") {
      observer.report(begun, context)
      return headed
    }
    return atBodyEnd(headed, (isComplete) =>
      observer.report(line(isComplete ? response.status : clientClosedStatus), context)
    )
  }

  const respond = (request: Request, requestId: string) =>
    Effect.withFiber((fiber) => {
      const { context } = fiber
      const clock = fiber.getRef(Clock.Clock)
      const now = () => Number(clock.currentTimeNanosUnsafe() / 1_000n) / 1_000
      const exchange: Exchange = {
        requestId,
        startedAt: now(),
        route: null,
        authenticated: null,
        limits: null,
        cors,
        file: null,
        compress: undefined
      }
      observer.begin(context)
      const dispatched = Effect.provideService(dispatch(request, exchange), RequestId, requestId)
      const answer = Effect.catchCause(dispatched, (cause) => onFailure(cause, exchange))
      const coded = Effect.flatMap(answer, (response) => exchange.compress?.(response) ?? Effect.succeed(response))
      const finished = Effect.map(coded, (response) => finish(request, response, exchange, { context, now }))
      return traced(request, exchange.route, finished)
    })

  return Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
    const sent = sentRequestId(request.headers)
    return sent === undefined
      ? Effect.flatMap(nextRequestId, (requestId) => respond(request, requestId))
      : respond(request, sent)
  })
}

/** An application that refuses every request. */
export const refusing = (options: HttpOptions, code: ProblemCode): App => answering(options, () => refuse(code))

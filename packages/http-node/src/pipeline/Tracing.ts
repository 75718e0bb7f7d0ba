/**
 * One span per request, named and described as OpenTelemetry's conventions have
 * it: method, pattern of the path and status, nothing that a caller sent. Costs
 * nothing while no tracer is configured.
 */
import { Context, Effect, Exit, Option, Tracer } from "effect"
import { type HttpServerRequest, type HttpServerResponse, HttpTraceContext } from "effect/http"

type Answer<R> = Effect.Effect<HttpServerResponse.HttpServerResponse, never, R>

const describe = (span: Tracer.Span, route: string | null, status: number) => {
  if (route !== null) span.attribute("http.route", route)
  span.attribute("http.response.status_code", status)
  if (status >= 500) span.attribute("error.type", `${status}`)
}

/** The span of an Effect server around our routes, which has begun already and is ended by it. */
const serverSpan = (context: Context.Context<never>): Tracer.Span | undefined => {
  const parent = Option.getOrUndefined(Context.getOption(context, Tracer.ParentSpan))
  return parent?._tag === "Span" && parent.kind === "server" ? parent : undefined
}

const inOwnSpan = <R>(request: HttpServerRequest.HttpServerRequest, route: string | null, answer: Answer<R>) =>
  Effect.flatMap(
    Effect.makeSpan(route === null ? request.method : `${request.method} ${route}`, {
      kind: "server",
      parent: Option.getOrUndefined(HttpTraceContext.fromHeaders(request.headers)),
      attributes: { "http.request.method": request.method }
    }),
    (span) =>
      Effect.withParentSpan(
        Effect.clockWith((clock) =>
          Effect.map(answer, (response) => {
            const { status } = response
            describe(span, route, status)
            const failed = status >= 500 ? Exit.fail(new Error(`answered with ${status}`)) : Exit.void
            span.end(clock.currentTimeNanosUnsafe(), failed)
            return response
          })
        ),
        span
      )
  )

export const traced = <R>(
  request: HttpServerRequest.HttpServerRequest,
  route: string | null,
  answer: Answer<R>
): Answer<R> =>
  Effect.withFiber((fiber) => {
    if (fiber.getRef(Tracer.Tracer) === Tracer.nativeTracer) return answer
    const outer = serverSpan(fiber.context)
    if (outer === undefined) return inOwnSpan(request, route, answer)
    return Effect.map(answer, (response) => {
      describe(outer, route, response.status)
      return response
    })
  })

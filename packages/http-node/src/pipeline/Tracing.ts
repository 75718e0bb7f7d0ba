/**
 * One server span per request, named and described by the conventions of OpenTelemetry: method,
 * pattern of the path and status, and no value from the caller. Costs nothing without a tracer.
 */
import { Context, Effect, Exit, Option, Tracer } from "effect"
import { type HttpServerRequest, type HttpServerResponse, HttpTraceContext } from "effect/http"

type Answer<R> = Effect.Effect<HttpServerResponse.HttpServerResponse, never, R>

const describe = (span: Tracer.Span, route: string | null, status: number) => {
  if (route !== null) span.attribute("http.route", route)
  span.attribute("http.response.status_code", status)
  if (status >= 500) span.attribute("error.type", `${status}`)
}

/** The span that an Effect server has begun around our routes; the server ends it. */
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

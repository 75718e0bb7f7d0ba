/**
 * Serves `/metrics` to requests with the token or, without a token, to clients on this machine
 * (specification, section 4). For all others the path does not exist.
 */
import { monitorEventLoopDelay } from "node:perf_hooks"
import type { Secret } from "@solar-sites/core/options"
import { Effect, Metric, Scope } from "effect"
import { HttpServerResponse } from "effect/http"
import * as PrometheusMetrics from "effect/observability/PrometheusMetrics"
import { bearerOf, isToken } from "../pipeline/BearerToken.ts"
import { type ClientAddress, isFromThisMachine } from "../pipeline/ClientAddress.ts"
import type { ServedEndpoint } from "../pipeline/Endpoint.ts"
import { refuse } from "../pipeline/Refused.ts"
import type { Reply } from "../pipeline/Reply.ts"

const contentType = "text/plain; version=0.0.4; charset=utf-8"

const sampleMs = 20

const eventLoopDelay = Metric.gauge("solar_sites_event_loop_delay_seconds", {
  description: "How late the event loop was since it was last asked about, by quantile"
})

const delayAt = (quantile: string) => Metric.withAttributes(eventLoopDelay, { quantile })
const quantiles = [
  [50, delayAt("0.5")],
  [99, delayAt("0.99")],
  [100, delayAt("1")]
] as const

/** Measuring begins with the first request. */
const makeEventLoopDelay = Effect.gen(function* () {
  const scope = yield* Effect.scope
  const measuring = yield* Effect.cached(
    Effect.acquireRelease(
      Effect.sync(() => {
        const histogram = monitorEventLoopDelay({ resolution: sampleMs })
        histogram.enable()
        return histogram
      }),
      (histogram) => Effect.sync(() => histogram.disable())
    ).pipe(Effect.provideService(Scope.Scope, scope))
  )
  return Effect.flatMap(measuring, (histogram) => {
    // The histogram holds the time from one sample to the next.
    const seconds = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - sampleMs / 1_000)
    const readings = quantiles.map(([percentile, gauge]) => [gauge, seconds(histogram.percentile(percentile))] as const)
    histogram.reset()
    return Effect.forEach(readings, ([gauge, value]) => Metric.update(gauge, value), { discard: true })
  })
})

/** All metrics of the registry. Names of counters end in `_total`, as Prometheus requires. */
const readings = Effect.gen(function* () {
  const counters = new Set((yield* Metric.snapshot).filter(({ type }) => type === "Counter").map(({ id }) => id))
  return yield* PrometheusMetrics.format({
    metricNameMapper: (name) => (counters.has(name) && !name.endsWith("_total") ? `${name}_total` : name)
  })
})

export const metricsReply = Effect.map(makeEventLoopDelay, (updateDelay) =>
  Effect.map(
    Effect.andThen(updateDelay, readings),
    (text): Reply<string> => HttpServerResponse.text(text, { contentType })
  )
)

/** Restricts the endpoint at `/metrics`; other endpoints are returned as they are. */
export const guardMetrics =
  (addressOf: ClientAddress, token: Secret | undefined) =>
  (endpoint: ServedEndpoint): ServedEndpoint =>
    endpoint.path === "/metrics"
      ? {
          ...endpoint,
          serve: (incoming) => {
            const { request } = incoming
            const sent = bearerOf(request)
            const allowed =
              token === undefined ? isFromThisMachine(request, addressOf) : sent !== undefined && isToken(sent, token)
            return allowed ? endpoint.serve(incoming) : refuse("route_not_found")
          }
        }
      : endpoint

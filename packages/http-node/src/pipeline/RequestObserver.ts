/**
 * Observes each request: metrics by method and pattern of the path, and the host's `onRequest`.
 */
import { Cause, type Context, Effect, Metric } from "effect"
import type { AccessLine } from "../Options.ts"

type Measured = Pick<AccessLine, "method" | "route" | "status" | "durationMs">

interface Series {
  readonly count: Metric.Counter<number>
  readonly duration: Metric.Histogram<number>
}

const methods = new Set(["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"])

const boundaries = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

const inFlight = Metric.gauge("solar_sites_http_requests_in_flight", {
  description: "Requests whose answer has not begun"
})

const seriesOf = (method: string, route: string, status: number): Series => ({
  count: Metric.counter("solar_sites_http_requests", {
    description: "Requests answered, by method, pattern of the path and status",
    attributes: { method, route, status: `${status}` },
    incremental: true
  }),
  duration: Metric.histogram("solar_sites_http_request_duration_seconds", {
    description: "Time until an answer begins, by method and pattern of the path",
    attributes: { method, route },
    boundaries
  })
})

/** The methods use the metric registry and the logger of the context. */
export interface RequestObserver {
  /** A request has arrived; each is followed by one `measure`. */
  readonly begin: (context: Context.Context<never>) => void
  /** Its response begins. */
  readonly measure: (line: Measured, context: Context.Context<never>) => void
  /** Calls `onRequest`; its errors are logged and ignored. */
  readonly report: (line: AccessLine, context: Context.Context<never>) => void
}

export const makeRequestObserver = (onRequest?: ((line: AccessLine) => unknown) | undefined): RequestObserver => {
  // The path of a series is a pattern and unknown methods share one, so the number of series is bounded.
  const known = new Map<string, Series>()

  const failed = (cause: unknown, context: Context.Context<never>) => {
    Effect.runForkWith(context)(Effect.logError("onRequest failed; the request was answered", Cause.die(cause)))
  }

  return {
    begin: (context) => inFlight.modifyUnsafe(1, context),

    measure: ({ durationMs, method, route, status }, context) => {
      const name = methods.has(method) ? method : "_OTHER"
      const key = `${name} ${status} ${route}`
      let series = known.get(key)
      if (series === undefined) {
        series = seriesOf(name, route ?? "", status)
        known.set(key, series)
      }
      series.count.updateUnsafe(1, context)
      series.duration.updateUnsafe(durationMs / 1_000, context)
      inFlight.modifyUnsafe(-1, context)
    },

    report: (line, context) => {
      if (onRequest === undefined) return
      try {
        const reported = onRequest(line)
        if (reported instanceof Promise) reported.catch((cause) => failed(cause, context))
      } catch (cause) {
        failed(cause, context)
      }
    }
  }
}

/**
 * Counts requests and measures how long they take, by method and by the pattern
 * of their path, never by what stands in it. Runs for every request, so each
 * series is made once.
 */
import { type Context, Metric } from "effect"

/** What is measured of one request; `route` is null where there is none. */
export interface Measured {
  readonly method: string
  readonly route: string | null
  readonly status: number
  readonly durationMs: number
}

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

const known = new Map<string, Series>()

/** To be called when a request comes in; `measure` when its answer begins. Both update what the context keeps. */
export const begin = (context: Context.Context<never>): void => inFlight.modifyUnsafe(1, context)

export const measure = ({ durationMs, method, route, status }: Measured, context: Context.Context<never>): void => {
  // A method that nobody knows must not make a series.
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
}

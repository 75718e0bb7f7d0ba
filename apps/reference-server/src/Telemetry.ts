/** Traces and metrics by OTLP over HTTP. Without an endpoint nothing is loaded or traced. */
import { ConfigProvider, Effect, Layer, Option } from "effect"
import type { Settings } from "./configuration/Settings.ts"

// Limit for the last export; part of the ten seconds of a shutdown.
const shutdownTimeout = "1 second"

// Effect would read further OTEL_ variables and die of an invalid one.
const noVariables = ConfigProvider.layer(ConfigProvider.fromEnvRecord({}))

/** Traces and metrics are dropped while the collector is down. */
export const layer = ({ otlpEndpoint }: Pick<Settings, "otlpEndpoint">): Layer.Layer<never> =>
  Option.match(otlpEndpoint, {
    onNone: () => Layer.empty,
    onSome: (endpoint) =>
      Layer.unwrap(
        Effect.promise(async () => {
          const [{ OtlpMetrics, OtlpSerialization, OtlpTracer }, { FetchHttpClient }] = await Promise.all([
            import("effect/observability"),
            import("effect/http")
          ])
          const resource = { serviceName: "solar-sites" }
          return Layer.merge(
            OtlpTracer.layer({ url: `${endpoint}/v1/traces`, resource, shutdownTimeout }),
            OtlpMetrics.layer({ url: `${endpoint}/v1/metrics`, resource, shutdownTimeout })
          ).pipe(Layer.provide([OtlpSerialization.layerProtobuf, FetchHttpClient.layer, noVariables]))
        })
      )
  })

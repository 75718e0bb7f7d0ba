/**
 * Traces and metrics by OTLP over HTTP. Without a collector nothing is loaded,
 * and nothing is traced.
 */
import { ConfigProvider, Effect, Layer, Option } from "effect"
import type { Settings } from "./configuration/Settings.ts"

// What is left when the server stops is sent within the time that a shutdown has.
const shutdownTimeout = "1 second"

// Effect would read further variables of OpenTelemetry, and die of a wrong one.
const noVariables = ConfigProvider.layer(ConfigProvider.fromEnvRecord({}))

/** A collector that is down costs what it would have been told. */
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

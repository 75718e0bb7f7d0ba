import { layer, layerFrom } from "@solar-sites/adapter-redis"
import { accessChangesConformance, rateLimiterConformance, runConformance } from "@solar-sites/testing"
import { Effect, Layer } from "effect"
import { describe, it } from "vitest"
import { aPrefix, hostClients, patientFor, sharedUrl, withoutRedis } from "./Setup.ts"

const layerOfHost = Layer.unwrap(
  Effect.map(hostClients, (clients) => layerFrom(clients, { prefix: aPrefix(), timeout: "20 seconds" }))
)

// Retried: a stall of the machine exceeds the timeout of the adapter's clients.
describe.skipIf(withoutRedis)("redis", { retry: 3 }, () => {
  for (const [name, ports] of [
    ["redis", layer(patientFor(sharedUrl))],
    ["redis, clients of the host", layerOfHost]
  ] as const) {
    runConformance({ describe, it }, rateLimiterConformance, { name, layer: ports })
    runConformance({ describe, it }, accessChangesConformance, { name, layer: ports })
  }
})

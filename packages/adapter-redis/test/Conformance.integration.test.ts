import { layer, layerFrom } from "@solar-sites/adapter-redis"
import { accessChangesConformance, rateLimiterConformance, runConformance } from "@solar-sites/testing"
import { Effect, Layer } from "effect"
import { Redis } from "ioredis"
import { describe, it } from "vitest"
import { patientFor, sharedUrl, withoutRedis } from "./Scene.ts"

/** Clients as a host may have them, with the settings that ioredis comes with. */
const hostClient = Effect.acquireRelease(
  Effect.sync(() => new Redis(sharedUrl)),
  (client) => Effect.sync(() => client.disconnect())
)

const layerOfHost = Layer.unwrap(
  Effect.gen(function* () {
    const [commands, subscriber] = [yield* hostClient, yield* hostClient]
    return layerFrom({ commands, subscriber }, patientFor(sharedUrl))
  })
)

describe.skipIf(withoutRedis)("redis", () => {
  for (const [name, ports] of [
    ["redis", layer(patientFor(sharedUrl))],
    ["redis, clients of the host", layerOfHost]
  ] as const) {
    runConformance({ describe, it }, rateLimiterConformance, { name, layer: ports })
    runConformance({ describe, it }, accessChangesConformance, { name, layer: ports })
  }
})

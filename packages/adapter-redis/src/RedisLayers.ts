/** Layers of the Redis adapter: rate limits and access changes shared by instances. */
import type { AccessChanges, RateLimiter } from "@solar-sites/core"
import { Config, Effect, Layer } from "effect"
import { layerAccessChanges } from "./RedisAccessChanges.ts"
import { RedisConnection } from "./RedisConnection.ts"
import type { RedisClients, RedisLayerOptions, RedisOptions } from "./RedisOptions.ts"
import { layerRateLimiter } from "./RedisRateLimiter.ts"
import { settings } from "./RedisSettings.ts"
import type { RedisStatus } from "./RedisStatus.ts"

/** The ports, and whether Redis answers. */
export type RedisPorts = RateLimiter | AccessChanges | RedisStatus

const layerPorts = Layer.merge(layerRateLimiter, layerAccessChanges)

/**
 * Opens two connections and closes them with the scope. Waits at most one second
 * for Redis; it may be down and come later. Throws a `TypeError` for a
 * wrong option.
 */
export const layer = (options: RedisLayerOptions): Layer.Layer<RedisPorts> =>
  Layer.provide(layerPorts, RedisConnection.layer(options))

/**
 * Uses clients of the host and never closes them. The host configures reconnection;
 * the timeout of a request is the same as with `layer`.
 */
export const layerFrom = (clients: RedisClients, options?: RedisOptions): Layer.Layer<RedisPorts> =>
  Layer.provide(layerPorts, RedisConnection.layerFrom(clients, options))

/** As `layer`, with the `settings` of the environment (specification, section 9). */
export const layerConfig: Layer.Layer<RedisPorts, Config.ConfigError> = Layer.unwrap(
  Effect.gen(function* () {
    return layer(yield* Config.all(settings))
  })
)

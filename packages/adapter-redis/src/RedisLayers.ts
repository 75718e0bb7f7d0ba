/**
 * What instances share over Redis, ready to be plugged in.
 *
 * @since 0.1.0
 */
import type { AccessChanges, RateLimiter } from "@solar-sites/core"
import { type Config, Effect, Layer } from "effect"
import { layerAccessChanges } from "./RedisAccessChanges.ts"
import { fromEnvironment } from "./RedisConfig.ts"
import { RedisConnection } from "./RedisConnection.ts"
import type { RedisClients, RedisLayerOptions, RedisOptions } from "./RedisOptions.ts"
import { layerRateLimiter } from "./RedisRateLimiter.ts"
import type { RedisStatus } from "./RedisStatus.ts"

/**
 * The ports, and whether Redis answers.
 *
 * @category models
 * @since 0.1.0
 */
export type RedisPorts = RateLimiter | AccessChanges | RedisStatus

const layerPorts = Layer.merge(layerRateLimiter, layerAccessChanges)

/**
 * Opens two connections, and closes them with the scope. Redis may be down: it
 * is waited for a second at most, and joins whenever it comes. What is no address
 * of one dies with a sentence about it.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (options: RedisLayerOptions): Layer.Layer<RedisPorts> =>
  Layer.provide(layerPorts, RedisConnection.layer(options))

/**
 * Uses clients that the host has opened and will close. The host decides how
 * they connect again; no request waits for them longer than for our own.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerFrom = (clients: RedisClients, options?: RedisOptions): Layer.Layer<RedisPorts> =>
  Layer.provide(layerPorts, RedisConnection.layerFrom(clients, options))

/**
 * As `layer`, with the address from `REDIS_URL` (specification, section 9).
 *
 * @category layers
 * @since 0.1.0
 */
export const layerConfig: Layer.Layer<RedisPorts, Config.ConfigError> = Layer.unwrap(Effect.map(fromEnvironment, layer))

/**
 * Rate limits and access changes of Solar Sites, shared between instances over
 * Redis.
 */
export { layer, layerConfig, layerFrom, type RedisPorts } from "./RedisLayers.ts"
export type { RedisClients, RedisLayerOptions, RedisOptions } from "./RedisOptions.ts"
export { RedisStatus } from "./RedisStatus.ts"

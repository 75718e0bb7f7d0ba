/**
 * Access changes and rate limits over Redis. While it is down, starts and requests still succeed.
 */
import * as Redis from "@solar-sites/adapter-redis"
import type { AccessChanges, RateLimiter } from "@solar-sites/core"
import { HealthChecks } from "@solar-sites/http-node"
import { Layer, type Redacted } from "effect"

const layerHealthCheck = Layer.effect(
  HealthChecks,
  Redis.RedisStatus.useSync(({ isUp }) => [{ name: "redis", problem: null, isUp }])
)

export const layer = (url: Redacted.Redacted<string>): Layer.Layer<AccessChanges | RateLimiter> =>
  Layer.provideMerge(layerHealthCheck, Redis.layer({ url }))

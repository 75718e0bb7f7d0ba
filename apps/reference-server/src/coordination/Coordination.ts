/** Access changes and rate limits, shared over Redis where `REDIS_URL` is set, else in process. */
import { AccessChanges, RateLimiter } from "@solar-sites/core"
import { Effect, Layer, Option } from "effect"
import type { Settings } from "../configuration/Settings.ts"

/** Redis adds a health check, which is reported but does not fail readiness. */
export const layer = ({ redisUrl }: Pick<Settings, "redisUrl">): Layer.Layer<AccessChanges | RateLimiter> =>
  Option.match(redisUrl, {
    onNone: () => Layer.merge(AccessChanges.layerInProcess, RateLimiter.layerInProcess),
    // Loaded on demand: the driver delays the start.
    onSome: (url) =>
      Layer.unwrap(
        Effect.map(
          Effect.promise(() => import("./RedisCoordination.ts")),
          (RedisCoordination) => RedisCoordination.layer(url)
        )
      )
  })

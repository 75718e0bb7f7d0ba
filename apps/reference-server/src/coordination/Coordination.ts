/**
 * What instances tell each other: over Redis when one is named, otherwise each
 * is the only one.
 */
import { AccessChanges, RateLimiter } from "@solar-sites/core"
import { Effect, Layer, Option } from "effect"
import type { Settings } from "../configuration/Settings.ts"

/** Redis brings a health check along, which is shown and turns nothing red. */
export const layer = ({ redisUrl }: Pick<Settings, "redisUrl">): Layer.Layer<AccessChanges | RateLimiter> =>
  Option.match(redisUrl, {
    onNone: () => Layer.merge(AccessChanges.layerInProcess, RateLimiter.layerInProcess),
    // The driver takes its time to load, and a single instance does not need it.
    onSome: (url) =>
      Layer.unwrap(
        Effect.map(
          Effect.promise(() => import("./RedisCoordination.ts")),
          (RedisCoordination) => RedisCoordination.layer(url)
        )
      )
  })

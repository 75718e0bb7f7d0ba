import { describe, expect, it } from "@effect/vitest"
import { layerConfig } from "@solar-sites/adapter-redis"
import { RateLimiter } from "@solar-sites/core"
import { ConfigProvider, Effect, Layer } from "effect"
import { inject } from "vitest"
import { freePort } from "../../../scripts/freePort.ts"
import { perHour } from "./Setup.ts"

const withSettings = (settings: Record<string, string>) =>
  Layer.provide(layerConfig, ConfigProvider.layer(ConfigProvider.fromEnv({ env: settings })))

describe("the settings of Redis", () => {
  it.live("lead to a limiter, whether Redis is there or not", () =>
    Effect.gen(function* () {
      const url = inject("redis").url ?? `redis://127.0.0.1:${yield* Effect.promise(freePort)}`
      const decision = yield* Effect.provide(
        RateLimiter.use(({ take }) => take("settings", perHour(1_000))),
        withSettings({ REDIS_URL: url })
      )
      expect(decision.allowed).toBe(true)
    })
  )

  it.effect("are refused with a sentence that names the variable and hides the value", () =>
    Effect.gen(function* () {
      for (const value of ["nonsense-value", "http://nonsense-value", "redis://nonsense-value:port"]) {
        const refusal = yield* Effect.flip(Layer.build(withSettings({ REDIS_URL: value })))
        expect(refusal.message).toContain("REDIS_URL")
        expect(refusal.message).toContain("redis://user:password@host:6379")
        expect(refusal.message).not.toContain("nonsense-value")
      }
      for (const settings of [{}, { REDIS_URL: "" }]) {
        expect((yield* Effect.flip(Layer.build(withSettings(settings)))).message).toContain("REDIS_URL")
      }
    })
  )
})

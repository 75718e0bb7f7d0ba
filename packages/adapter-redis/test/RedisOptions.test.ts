import { layer, type RedisLayerOptions } from "@solar-sites/adapter-redis"
import { RateLimiter } from "@solar-sites/core"
import { Effect, Redacted } from "effect"
import { describe, expect, it } from "vitest"
import { perHour } from "./Setup.ts"

const take = (options: RedisLayerOptions) =>
  Effect.runPromise(
    Effect.provide(
      RateLimiter.use((limiter) => limiter.take("options", perHour(1_000))),
      layer(options)
    )
  )

describe("the address of Redis", () => {
  it.each([
    [undefined, "undefined"],
    [{}, "undefined"],
    [{ url: "" }, "an empty text"],
    [{ url: "hush-hush:6379" }, "another text"],
    [{ url: Redacted.make("http://hush-hush") }, "another text"],
    [{ url: Redacted.make(undefined) }, "undefined"],
    [{ url: { host: "hush-hush" } }, "object"]
  ])("is asked for when the layer is built, and never repeated: %o", async (options, kind) => {
    // As from JavaScript, which nobody has checked.
    const refusal: unknown = await take(options as RedisLayerOptions).catch((error) => error)
    expect(refusal).toBeInstanceOf(TypeError)
    expect(String(refusal)).toBe(
      `TypeError: url of the Redis adapter must be of the form redis://user:password@host:port, or rediss:// for TLS, as text or Redacted; it is ${kind}`
    )
  })

  it("may be text or Redacted, whether anybody listens there or not", async () => {
    const url = "redis://127.0.0.1:1"
    for (const given of [url, Redacted.make(url)]) expect((await take({ url: given })).allowed).toBe(true)
  })
})

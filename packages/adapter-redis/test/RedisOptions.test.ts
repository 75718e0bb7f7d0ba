import { layer, layerFrom, type RedisLayerOptions } from "@solar-sites/adapter-redis"
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
    [{}, "undefined"],
    [{ url: "" }, "an empty text"],
    [{ url: "hush-hush:6379" }, "another text"],
    [{ url: Redacted.make("http://hush-hush") }, "another text"],
    [{ url: "redis://hush-hush/first" }, "another text"],
    [{ url: Redacted.make(undefined) }, "undefined"],
    [{ url: { host: "hush-hush" } }, "an object"]
  ])("is asked for at once, and never repeated: %o", (options, kind) => {
    // As from JavaScript, which checks no types.
    expect(() => layer(options as RedisLayerOptions)).toThrow(
      new TypeError(
        `url of the Redis adapter must be the address of a Redis server, such as redis://user:password@host:6379, or rediss:// for TLS; as text or Redacted; it is ${kind}`
      )
    )
  })

  it("may be text or Redacted, whether anybody listens there or not", async () => {
    const url = "redis://127.0.0.1:1"
    for (const given of [url, Redacted.make(url)]) expect((await take({ url: given })).allowed).toBe(true)
  })
})

describe("other options of Redis", () => {
  const url = "redis://127.0.0.1:1"

  it.each([
    [
      undefined,
      "The options of the Redis adapter must be an object with some of url, prefix, timeout; it is undefined"
    ],
    [{ url, prefx: "x" }, "the Redis adapter has no option prefx; it has url, prefix, timeout"],
    [{ url, prefix: 7 }, "prefix of the Redis adapter must be a text; it is 7"],
    [{ url, timeout: "soon" }, 'timeout of the Redis adapter must be a duration, such as "5 seconds"']
  ])("are refused at once: %o", (options, sentence) => {
    // As from JavaScript, which checks no types.
    expect(() => layer(options as RedisLayerOptions)).toThrow(sentence)
  })

  it("are refused beside clients of the host, and so is another client", () => {
    // As from JavaScript, which checks no types.
    expect(() => layerFrom({ commands: {} } as never)).toThrow(
      "commands of the Redis adapter must be a client of ioredis, such as new Redis(url); it is an object"
    )
  })
})

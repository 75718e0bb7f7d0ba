import { describe, expect, it } from "@effect/vitest"
import { layer, RedisStatus } from "@solar-sites/adapter-redis"
import { Context, Effect, Layer } from "effect"
import { optionsFor, ownServer, until, within, withoutProgram } from "./Setup.ts"

describe.skipIf(withoutProgram)("RedisStatus", () => {
  it.live("reports whether Redis answers, in bounded time", () =>
    Effect.gen(function* () {
      const server = yield* ownServer()
      const { isUp } = Context.get(yield* Layer.build(layer(optionsFor(server.url))), RedisStatus)
      yield* until("answering", isUp)
      server.freeze()
      expect(yield* within(500, isUp)).toBe(false)
      server.thaw()
      yield* until("answering again", isUp)
      yield* Effect.promise(server.kill)
      yield* until(
        "the end being noticed",
        Effect.map(isUp, (up) => !up)
      )
    })
  )
})

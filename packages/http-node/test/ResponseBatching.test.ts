import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { vi } from "vitest"
import { batchResponses } from "../src/node/ResponseBatching.ts"

const turn = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))

describe("responses of one turn of the event loop", () => {
  it.live("are released at its end, in order of arrival", () =>
    Effect.gen(function* () {
      const wait = batchResponses()
      const left: Array<string> = []
      const answer = (name: string) =>
        Effect.forkChild(
          Effect.map(wait(name), (given) => left.push(given)),
          { startImmediately: true }
        )
      for (const name of ["first", "second", "third"]) yield* answer(name)
      expect(left).toEqual([])
      yield* turn
      expect(left).toEqual(["first", "second", "third"])
      yield* answer("of the next turn")
      expect(left).toHaveLength(3)
      yield* turn
      expect(left).toHaveLength(4)
    })
  )

  it.live("do not wait for one of a disconnected client", () =>
    Effect.gen(function* () {
      const wait = batchResponses()
      const left: Array<string> = []
      const gone = yield* Effect.forkChild(wait("gone"), { startImmediately: true })
      yield* Effect.forkChild(
        Effect.map(wait("there"), (given) => left.push(given)),
        { startImmediately: true }
      )
      gone.interruptUnsafe()
      yield* turn
      expect(left).toEqual(["there"])
    })
  )

  it("are released under the fake timers of a host", async () => {
    vi.useFakeTimers()
    try {
      expect(await Effect.runPromise(batchResponses()("there"))).toBe("there")
    } finally {
      vi.useRealTimers()
    }
  })
})

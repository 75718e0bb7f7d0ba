import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { expectPages } from "../src/conformance/Expectations.ts"

describe("expectPages", () => {
  it.effect("ends where there are no items", () =>
    Effect.gen(function* () {
      const limits: Array<number> = []
      yield* expectPages(({ limit }) => {
        limits.push(limit)
        return Effect.succeed({ items: [], hasMore: false })
      }, [])
      assert.deepEqual(limits, [1, 2, 3, 1_000, 10])
    })
  )
})

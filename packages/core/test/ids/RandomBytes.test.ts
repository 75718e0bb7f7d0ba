import { it } from "@effect/vitest"
import { RandomBytes } from "@solar-sites/core"
import { Effect } from "effect"
import { expect } from "vitest"

it.effect("never gives the same bytes twice, however many are asked for at a time", () =>
  Effect.gen(function* () {
    const randomBytes = yield* RandomBytes
    for (const length of [8, 10, 16, 32]) {
      const given = Array.from({ length: 2_000 }, () => randomBytes(length))
      expect(given.every((bytes) => bytes.length === length && bytes.some((byte) => byte !== 0))).toBe(true)
      expect(new Set(given.map((bytes) => bytes.join())).size).toBe(given.length)
    }
  })
)

it.effect("gives bytes that are the caller's alone", () =>
  Effect.gen(function* () {
    const randomBytes = yield* RandomBytes
    const [first, second] = [randomBytes(8), randomBytes(8)]
    const before = second.join()
    first.fill(0)
    expect(first.buffer).not.toBe(second.buffer)
    expect(second.join()).toBe(before)
  })
)

import { it } from "@effect/vitest"
import { makeUuidV7, RandomBytes } from "@solar-sites/core"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { expect } from "vitest"

const version7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

it.effect("makes UUIDs of version 7 that begin with the time", () =>
  Effect.gen(function* () {
    yield* TestClock.setTime(0x0193e6f41c2d)
    const id = yield* makeUuidV7()
    expect(id).toMatch(version7)
    expect(id.startsWith("0193e6f4-1c2d-7")).toBe(true)
  })
)

it.effect("ascends strictly while the clock stands, beyond what one millisecond holds", () =>
  Effect.gen(function* () {
    yield* TestClock.setTime(1_000)
    const nextId = makeUuidV7()
    const ids = yield* Effect.forEach(Array.from({ length: 10_000 }), () => nextId)
    expect(ids.every((id) => version7.test(id))).toBe(true)
    expect(ids.toSorted()).toEqual(ids)
    expect(new Set(ids).size).toBe(ids.length)
  })
)

it.effect("ascends strictly when the clock is set back", () =>
  Effect.gen(function* () {
    const nextId = makeUuidV7()
    yield* TestClock.setTime(5_000)
    const before = yield* nextId
    yield* TestClock.setTime(1_000)
    const after = yield* nextId
    expect(after > before).toBe(true)
  })
)

it.effect("repeats itself from the same bytes and the same time", () =>
  Effect.gen(function* () {
    const seeded = Effect.provideService(makeUuidV7(), RandomBytes, (length) => new Uint8Array(length).fill(7))
    expect(yield* seeded).toBe(
      yield* Effect.provideService(makeUuidV7(), RandomBytes, (length) => new Uint8Array(length).fill(7))
    )
  })
)

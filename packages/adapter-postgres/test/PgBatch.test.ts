import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { afterEach, beforeEach, vi } from "vitest"
import { PgFailure } from "../src/client/PgErrors.ts"
import { batches, turn } from "./Batches.ts"

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
})

afterEach(() => {
  vi.useRealTimers()
})

describe("a batch", () => {
  it.live("holds the items of one turn, and answers each of them", () =>
    Effect.gen(function* () {
      const { answer, store, texts } = batches(10)
      const fibers = [yield* store("a"), yield* store("b"), yield* store("c")]
      expect(texts()).toEqual([])
      yield* turn
      expect(texts()).toEqual(["one: a b c"])
      yield* answer(0)
      expect(yield* Effect.forEach(fibers, Fiber.join)).toEqual(["0", "0", "0"])
    })
  )

  it.live("never holds items of two organisations, even with strange ids, or of two groups", () =>
    Effect.gen(function* () {
      const { store, texts } = batches(10)
      yield* store("a", { organisation: "one", group: "x" })
      yield* store("b", { organisation: "two", group: "x" })
      yield* store("c", { organisation: "one", group: "y" })
      yield* store("d", { organisation: 'one","x' })
      yield* store("e", { organisation: "one", group: 'x"]' })
      yield* store("f", { organisation: "one", group: "x" })
      yield* turn
      expect(texts()).toEqual(["one: a f", "two: b", "one: c", 'one","x: d', "one: e"])
    })
  )

  it.live("holds the items that come while it waits for a connection, and none that come later", () =>
    Effect.gen(function* () {
      const { answer, store, texts } = batches(1)
      yield* store("a")
      yield* turn
      yield* store("b")
      yield* turn
      yield* store("c")
      yield* turn
      expect(texts()).toEqual(["one: a"])
      yield* answer(0)
      expect(texts()).toEqual(["one: a", "one: b c"])
      yield* store("d")
      yield* turn
      yield* answer(1)
      expect(texts()).toEqual(["one: a", "one: b c", "one: d"])
    })
  )

  it.live("that writes waits for the last one of its organisation and group, and grows meanwhile", () =>
    Effect.gen(function* () {
      const { abandoned, answer, store, texts } = batches(10)
      const fibers = []
      for (const item of ["a", "b", "c", "d"]) {
        fibers.push(yield* store(item))
        yield* turn
      }
      yield* store("e", { organisation: "two" })
      yield* store("f", { group: "x" })
      yield* turn
      expect(texts()).toEqual(["one: a", "two: e", "one: f"])
      // A statement that was given up is under way until the server has answered.
      yield* Fiber.interrupt(fibers[0] ?? (yield* Effect.never))
      expect(abandoned).toEqual([0])
      const gone = yield* store("gone")
      yield* turn
      yield* Fiber.interrupt(gone)
      yield* answer(0)
      expect(texts().slice(3)).toEqual(["one: b c d"])
      yield* store("g")
      yield* turn
      expect(texts()).toHaveLength(4)
      yield* answer(3)
      expect(texts().slice(4)).toEqual(["one: g"])
    })
  )

  it.live("that reads waits for no other one", () =>
    Effect.gen(function* () {
      const { store, texts } = batches(10, { readOnly: true })
      for (const item of ["a", "b", "c"]) {
        yield* store(item)
        yield* turn
      }
      expect(texts()).toEqual(["one: a", "one: b", "one: c"])
    })
  )

  it.live("that writes follows one that failed or was cancelled before it was sent", () =>
    Effect.gen(function* () {
      const { refuse, store, texts } = batches(1)
      yield* store("a")
      yield* turn
      const waiting = yield* store("cancelled")
      yield* turn
      yield* store("b", { organisation: "two" })
      yield* Fiber.interrupt(waiting)
      yield* turn
      yield* store("c")
      yield* turn
      yield* refuse(0, new PgFailure("gone", "CONNECTION_CLOSED"))
      expect(texts()).toEqual(["one: a", "two: b"])
      yield* refuse(1, new PgFailure("gone", "CONNECTION_CLOSED"))
      expect(texts()).toEqual(["one: a", "two: b", "one: c"])
    })
  )

  it.live("holds at most a hundred items", () =>
    Effect.gen(function* () {
      const { answer, store, texts } = batches(10)
      yield* Effect.forEach(Array.from({ length: 250 }).keys(), (index) => store(`${index}`))
      yield* turn
      yield* answer(0)
      yield* answer(1)
      expect(texts().map((text) => text.split(" ").length - 1)).toEqual([100, 100, 50])
    })
  )

  it.live("holds no cancelled item, and is not sent when it is empty", () =>
    Effect.gen(function* () {
      const { answer, store, texts } = batches(1)
      const gone = yield* store("gone at once")
      yield* Fiber.interrupt(gone)
      yield* turn
      yield* store("a")
      yield* turn
      const ofOne = yield* store("b")
      yield* store("c")
      const ofTwo = yield* store("d", { organisation: "two" })
      yield* turn
      yield* Fiber.interrupt(ofOne)
      yield* Fiber.interrupt(ofTwo)
      yield* answer(0)
      expect(texts()).toEqual(["one: a", "one: c"])
      yield* answer(1)
      yield* store("e", { organisation: "two" })
      yield* turn
      expect(texts()).toEqual(["one: a", "one: c", "two: e"])
    })
  )

  it.live("leaves each item its own deadline: a late one fails, the others go on", () =>
    Effect.gen(function* () {
      const { abandoned, answer, store, texts } = batches(1, { timeout: "2 seconds" })
      yield* store("a")
      yield* turn
      const late = yield* store("b")
      vi.advanceTimersByTime(1_000)
      const others = [yield* store("c"), yield* store("d")]
      yield* turn
      vi.advanceTimersByTime(999)
      expect(abandoned).toEqual([])
      vi.advanceTimersByTime(1)
      expect(abandoned).toEqual([0])
      expect(yield* Effect.flip(Fiber.join(late))).toMatchObject({ cause: { code: "QUERY_TIMEOUT" } })
      yield* answer(0)
      expect(texts()).toEqual(["one: a", "one: c d"])
      yield* answer(1)
      expect(yield* Effect.forEach(others, Fiber.join)).toEqual(["1", "1"])
    })
  )

  it.live("is abandoned when an item is cancelled after it was sent", () =>
    Effect.gen(function* () {
      const { abandoned, answer, store } = batches(1)
      const [gone, other] = [yield* store("a"), yield* store("b")]
      yield* turn
      expect(abandoned).toEqual([])
      yield* Fiber.interrupt(gone)
      expect(abandoned).toEqual([0])
      yield* answer(0)
      expect(yield* Fiber.join(other)).toBe("0")
    })
  )
})

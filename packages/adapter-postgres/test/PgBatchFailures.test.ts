import { describe, expect, it } from "@effect/vitest"
import { RepositoryError } from "@solar-sites/core"
import { Effect, Exit, Fiber } from "effect"
import { PgFailure } from "../src/client/PgErrors.ts"
import { batches, turn, unreadable, unwritable } from "./Batches.ts"

const refusal = new PgFailure("refused", "23514")

const failed = (cause: PgFailure) => new RepositoryError({ operation: "test", retryable: false, cause })

describe("a failed batch", () => {
  it.live("is split when the server refuses it, so that each item gets its own result", () =>
    Effect.gen(function* () {
      const { answer, refuse, store, texts } = batches(10)
      const fibers = [yield* store("a"), yield* store("bad"), yield* store("c")]
      yield* turn
      yield* refuse(0, refusal)
      expect(texts()).toEqual(["one: a bad c", "one: a", "one: bad", "one: c"])
      yield* answer(1)
      yield* refuse(2, refusal)
      yield* answer(3)
      const exits = yield* Effect.forEach(fibers, Fiber.await)
      expect(exits).toEqual([Exit.succeed("1"), Exit.fail(failed(refusal)), Exit.succeed("3")])
      expect(texts().length).toBe(4)
    })
  )

  it.live("is split when its answer cannot be decoded, unless it writes", () =>
    Effect.gen(function* () {
      for (const readOnly of [true, false]) {
        const { answer, store, texts } = batches(10, { readOnly })
        for (const item of ["a", "bad"]) yield* store(item)
        yield* turn
        yield* answer(0, unreadable)
        if (readOnly) yield* answer(2, unreadable)
        expect(texts()).toEqual(readOnly ? ["one: a bad", "one: a", "one: bad"] : ["one: a bad"])
      }
    })
  )

  it.live("is split once when the server is read-only, also when it writes", () =>
    Effect.gen(function* () {
      const { answer, refuse, store, texts } = batches(10, { readOnly: false })
      const demoted = new PgFailure("read-only", "25006")
      const fibers = [yield* store("a"), yield* store("b")]
      yield* turn
      yield* refuse(0, demoted)
      expect(texts()).toEqual(["one: a b", "one: a", "one: b"])
      yield* answer(1)
      yield* refuse(2, demoted)
      const exits = yield* Effect.forEach(fibers, Fiber.await)
      expect(exits.map(Exit.isSuccess)).toEqual([true, false])
      expect(texts().length).toBe(3)
    })
  )

  it.live("keeps no connection when its parameter cannot be made", () =>
    Effect.gen(function* () {
      const { answer, store, texts } = batches(1)
      const failing = [yield* store("a"), yield* store(unwritable)]
      yield* turn
      const exits = yield* Effect.forEach(failing, Fiber.await)
      expect(exits.map(Exit.isFailure)).toEqual([true, true])
      const other = yield* store("b")
      yield* turn
      yield* answer(0)
      expect([yield* Fiber.join(other), texts()]).toEqual(["0", ["one: b"]])
    })
  )

  it.live("is not split for a cancelled item", () =>
    Effect.gen(function* () {
      const { refuse, store, texts } = batches(10)
      const gone = yield* store("a")
      yield* store("b")
      yield* turn
      yield* Fiber.interrupt(gone)
      yield* refuse(0, refusal)
      expect(texts()).toEqual(["one: a b", "one: b"])
    })
  )

  it.live("is retried five times when a single item was rolled back, and never when the connection was lost", () =>
    Effect.gen(function* () {
      const { refuse, store, texts } = batches(10)
      const unlucky = yield* store("a")
      yield* turn
      for (let index = 0; index < 6; index++) {
        yield* refuse(index, new PgFailure("deadlock", "40P01"))
      }
      expect(yield* Effect.flip(Fiber.join(unlucky))).toMatchObject({ cause: { code: "40P01" } })
      const lost = [yield* store("b"), yield* store("c")]
      yield* turn
      yield* refuse(6, new PgFailure("gone", "CONNECTION_CLOSED"))
      const exits = yield* Effect.forEach(lost, Fiber.await)
      expect(exits.map(Exit.isFailure)).toEqual([true, true])
      expect(texts().length).toBe(7)
    })
  )

  it.live("that reads is retried once when the connection was lost, each item alone", () =>
    Effect.gen(function* () {
      const { answer, refuse, store, texts } = batches(10, { readOnly: true })
      const lost = (index: number) => refuse(index, new PgFailure("gone", "ECONNRESET"))
      const fibers = [yield* store("a"), yield* store("b")]
      yield* turn
      yield* lost(0)
      expect(texts()).toEqual(["one: a b", "one: a", "one: b"])
      yield* answer(1)
      yield* lost(2)
      const exits = yield* Effect.forEach(fibers, Fiber.await)
      expect(exits.map(Exit.isSuccess)).toEqual([true, false])
      expect(texts().length).toBe(3)
    })
  )
})

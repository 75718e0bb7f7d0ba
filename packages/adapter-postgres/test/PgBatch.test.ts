import { describe, expect, it } from "@effect/vitest"
import { RepositoryError } from "@solar-sites/core"
import { type Duration, Effect, Exit, Fiber } from "effect"
import { afterEach, beforeEach, vi } from "vitest"
import { makeBatch } from "../src/client/PgBatch.ts"
import { PgFailure } from "../src/client/PgErrors.ts"
import { makeExecutor } from "../src/client/PgExecutor.ts"
import type { PgPool } from "../src/client/PgPool.ts"
import type { PgRows } from "../src/client/PgStatement.ts"

interface Sent {
  readonly organisationId: string
  readonly items: string
  readonly answer: PromiseWithResolvers<PgRows>
}

/** Batches on a pool of this width. The test answers their statements. */
const batches = (width: number, { readOnly = false, timeout = "1 minute" }: Settings = {}) => {
  const sent: Array<Sent> = []
  const abandoned: Array<number> = []
  const pool: PgPool = {
    width,
    roomToRead: width,
    send: ({ parameters: [organisationId, items] = [] }) => {
      const answer = Promise.withResolvers<PgRows>()
      const index = sent.push({ organisationId: String(organisationId), items: String(items), answer })
      return { rows: answer.promise, abandon: () => abandoned.push(index - 1) }
    }
  }
  const run = makeBatch(makeExecutor(pool, timeout), {
    operation: "test",
    text: "",
    readOnly,
    parameter: (items: ReadonlyArray<string>) => {
      if (items.includes(unwritable)) throw new TypeError()
      return items.join(" ")
    },
    decode: ([row]) => {
      const answer: unknown = row?.[0]
      if (answer === unreadable) throw new SyntaxError()
      return answer
    }
  })
  const store = (item: string, { group = "", organisation = "one" } = {}) =>
    Effect.forkChild(run(organisation, group, item), { startImmediately: true })
  const texts = () => sent.map(({ items, organisationId }) => `${organisationId}: ${items}`)
  const settle = (index: number, how: (answer: Sent["answer"]) => void) =>
    Effect.andThen(
      Effect.sync(() => {
        const statement = sent[index]
        if (statement === undefined) throw new Error(`there is no statement ${index}`)
        how(statement.answer)
      }),
      turn
    )
  return {
    store,
    texts,
    abandoned,
    answer: (index: number, answer: unknown = `${index}`) => settle(index, ({ resolve }) => resolve([[answer]])),
    refuse: (index: number, failure: PgFailure) => settle(index, ({ reject }) => reject(failure))
  }
}

interface Settings {
  readonly readOnly?: boolean
  readonly timeout?: Duration.Input
}

/** An item that cannot be a parameter. */
const unwritable = "unwritable"

/** An answer that cannot be decoded. */
const unreadable = Symbol("unreadable")

/** Until all work of this turn of the event loop, and its consequences, are done. */
const turn = Effect.promise(async () => {
  for (let turns = 0; turns < 3; turns++) await new Promise((resolve) => setImmediate(resolve))
})

const refusal = new PgFailure("refused", "23514")

const failed = (cause: PgFailure) => new RepositoryError({ operation: "test", retryable: false, cause })

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

  it.live("holds at most a hundred items", () =>
    Effect.gen(function* () {
      const { store, texts } = batches(10)
      yield* Effect.forEach(Array.from({ length: 250 }).keys(), (index) => store(`${index}`))
      yield* turn
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

import { describe, expect, it } from "@effect/vitest"
import { Effect, Exit, Fiber } from "effect"
import { makeBatched } from "../src/client/PgBatch.ts"
import type { PgSql } from "../src/client/PgDriver.ts"
import { PgFailure } from "../src/client/PgErrors.ts"
import type { PgSource } from "../src/client/PgSource.ts"
import { makeTurnstile } from "../src/client/PgTurnstile.ts"

const client: PgSql = { unsafe: () => ({ values: async () => [] }), options: { max: 1 } }

interface Sent {
  readonly organisationId: string
  readonly items: ReadonlyArray<string>
  readonly answer: PromiseWithResolvers<string>
}

/** Statements that are answered by the test, on this many connections. */
const batches = (width: number, { onlyReads = false } = {}) => {
  const sent: Array<Sent> = []
  const abandoned: Array<unknown> = []
  const clients = { shared: client, alone: client }
  const source: PgSource = {
    width,
    roomToRead: width,
    current: () => clients,
    heard: () => {},
    mixed: () => {},
    abandoned: (execution) => abandoned.push(execution)
  }
  const send = (_: PgSql, organisationId: string, items: ReadonlyArray<string>) => {
    const answer = Promise.withResolvers<string>()
    sent.push({ organisationId, items, answer })
    return answer.promise
  }
  const run = makeBatched(source, makeTurnstile(width))({ send, onlyReads })
  const store = (item: string, { group = "", millis = 60_000, organisation = "one" } = {}) =>
    Effect.forkChild(run(organisation, group, item, millis), { startImmediately: true })
  const texts = () => sent.map(({ items, organisationId }) => `${organisationId}: ${items.join(" ")}`)
  const settle = (index: number, how: (answer: PromiseWithResolvers<string>) => void) =>
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
    answer: (index: number) => settle(index, ({ resolve }) => resolve(`${index}`)),
    settle
  }
}

/** Until all that is due in this turn of the event loop, and what follows from it, is done. */
const turn = Effect.promise(async () => {
  for (let turns = 0; turns < 3; turns++) await new Promise((resolve) => setImmediate(resolve))
})

const refusal = new PgFailure("refused", "23514")

describe("statements for what comes together", () => {
  it.live("hold what comes in one turn, and answer each of them", () =>
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

  it.live("never hold what belongs to two organisations, whatever their ids look like, or to two groups", () =>
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

  it.live("hold what comes while they wait for a connection, and nothing of what comes later", () =>
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

  it.live("hold a hundred at most", () =>
    Effect.gen(function* () {
      const { store, texts } = batches(10)
      yield* Effect.forEach(Array.from({ length: 250 }).keys(), (index) => store(`${index}`))
      yield* turn
      expect(texts().map((text) => text.split(" ").length - 1)).toEqual([100, 100, 50])
    })
  )

  it.live("hold nothing that was given up before, and are not sent when nothing is left", () =>
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

  it.live("leave each its own time: what has had it is told so, the others go on", () =>
    Effect.gen(function* () {
      const { abandoned, answer, store, texts } = batches(1)
      yield* store("a")
      yield* turn
      const late = yield* store("b", { millis: 20 })
      const others = [yield* store("c"), yield* store("d")]
      expect(yield* Effect.flip(Fiber.join(late))).toMatchObject({ code: "QUERY_TIMEOUT" })
      expect(abandoned).toEqual([])
      yield* answer(0)
      expect(texts()).toEqual(["one: a", "one: c d"])
      yield* answer(1)
      expect(yield* Effect.forEach(others, Fiber.join)).toEqual(["1", "1"])
    })
  )

  it.live("are watched, once, when somebody has given up after they were sent", () =>
    Effect.gen(function* () {
      const { abandoned, answer, store } = batches(1)
      const [late, gone, patient] = [yield* store("a", { millis: 200 }), yield* store("b"), yield* store("c")]
      yield* turn
      expect(abandoned).toEqual([])
      yield* Fiber.interrupt(gone)
      expect(abandoned.length).toBe(1)
      expect(yield* Effect.flip(Fiber.join(late))).toMatchObject({ code: "QUERY_TIMEOUT" })
      expect(abandoned.length).toBe(1)
      yield* answer(0)
      expect(yield* Fiber.join(patient)).toBe("0")
    })
  )

  it.live("are taken apart when they are refused, so that each gets what is its own", () =>
    Effect.gen(function* () {
      const { answer, settle, store, texts } = batches(10)
      const fibers = [yield* store("a"), yield* store("bad"), yield* store("c")]
      yield* turn
      yield* settle(0, ({ reject }) => reject(refusal))
      expect(texts()).toEqual(["one: a bad c", "one: a", "one: bad", "one: c"])
      yield* answer(1)
      yield* settle(2, ({ reject }) => reject(refusal))
      yield* answer(3)
      const exits = yield* Effect.forEach(fibers, Fiber.await)
      expect(exits).toEqual([Exit.succeed("1"), Exit.fail(refusal), Exit.succeed("3")])
      expect(texts().length).toBe(4)
    })
  )

  it.live("are taken apart when an answer about one of them cannot be read, unless they have changed something", () =>
    Effect.gen(function* () {
      const unreadable = (index: number) =>
        [index, ({ reject }: PromiseWithResolvers<string>) => reject(new SyntaxError())] as const
      for (const onlyReads of [true, false]) {
        const { settle, store, texts } = batches(10, { onlyReads })
        for (const item of ["a", "bad"]) yield* store(item)
        yield* turn
        yield* settle(...unreadable(0))
        if (onlyReads) yield* settle(...unreadable(2))
        expect(texts()).toEqual(onlyReads ? ["one: a bad", "one: a", "one: bad"] : ["one: a bad"])
      }
    })
  )

  it.live("are not taken apart for whom nobody waits any more", () =>
    Effect.gen(function* () {
      const { settle, store, texts } = batches(10)
      const gone = yield* store("a")
      yield* store("b")
      yield* turn
      yield* Fiber.interrupt(gone)
      yield* settle(0, ({ reject }) => reject(refusal))
      expect(texts()).toEqual(["one: a b", "one: b"])
    })
  )

  it.live("of one are repeated five times when they were rolled back, and never when the connection was lost", () =>
    Effect.gen(function* () {
      const { settle, store, texts } = batches(10)
      const unlucky = yield* store("a")
      yield* turn
      for (let index = 0; index < 6; index++) {
        yield* settle(index, ({ reject }) => reject(new PgFailure("deadlock", "40P01")))
      }
      expect(yield* Effect.flip(Fiber.join(unlucky))).toMatchObject({ code: "40P01" })
      const lost = [yield* store("b"), yield* store("c")]
      yield* turn
      yield* settle(6, ({ reject }) => reject(new PgFailure("gone", "CONNECTION_CLOSED")))
      const exits = yield* Effect.forEach(lost, Fiber.await)
      expect(exits.map(Exit.isFailure)).toEqual([true, true])
      expect(texts().length).toBe(7)
    })
  )

  it.live("that only read are repeated once when the connection was lost, each on its own", () =>
    Effect.gen(function* () {
      const { answer, settle, store, texts } = batches(10, { onlyReads: true })
      const lost = (index: number) => settle(index, ({ reject }) => reject(new PgFailure("gone", "ECONNRESET")))
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

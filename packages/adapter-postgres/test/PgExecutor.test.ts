import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber, Metric } from "effect"
import { PgFailure } from "../src/client/PgErrors.ts"
import { makeExecutor } from "../src/client/PgExecutor.ts"
import type { PgRows, PgStatement } from "../src/client/PgStatement.ts"

/** An executor on a pool of this width; interrupted calls leave its queue. */
const makePass = (width: number, roomToRead = width) => {
  const answers = new Map<string, () => Promise<PgRows>>()
  const send = ({ text }: PgStatement) => {
    const answer = answers.get(String(text))
    return { rows: answer === undefined ? Promise.resolve([]) : answer(), abandon: () => {} }
  }
  const { run } = makeExecutor({ width, roomToRead, send }, "1 minute")
  return (answer: () => Promise<string>, readOnly: boolean) => {
    const text = `${answers.size}`
    answers.set(text, async () => [[await answer()]])
    return Effect.map(run({ operation: "test", text, readOnly }), ([row]) => row?.[0])
  }
}

const gauges = Effect.map(Metric.snapshot, (metrics) =>
  ["solar_sites_database_statements", "solar_sites_database_waiting"].map((id) => {
    const metric = metrics.find((one) => one.id === id)
    return metric?.type === "Gauge" ? Number(metric.state.value) : undefined
  })
)

/** Until every promise that is settled has its consequences. */
const turn = Effect.promise(() => new Promise<void>((resolve) => void setImmediate(resolve)))

/** A promise that is settled from outside. */
const held = () => Promise.withResolvers<string>()

describe("the queue in front of the pool", () => {
  it.effect("starts as many statements as there are connections, the others in order, and counts both", () =>
    Effect.gen(function* () {
      const pass = makePass(2)
      const [first, second, third] = [held(), held(), held()]
      const begun: Array<string> = []
      const statement = (name: string, { promise }: ReturnType<typeof held>) =>
        Effect.forkChild(
          pass(() => {
            begun.push(name)
            return promise
          }, false),
          { startImmediately: true }
        )
      const fibers = [
        yield* statement("first", first),
        yield* statement("second", second),
        yield* statement("third", third)
      ]
      expect(begun).toEqual(["first", "second"])
      expect(yield* gauges).toEqual([2, 1])
      second.resolve("done")
      yield* turn
      expect(begun).toEqual(["first", "second", "third"])
      expect(yield* gauges).toEqual([2, 0])
      first.reject(new Error("gone"))
      third.resolve("done")
      const exits = yield* Effect.forEach(fibers, Fiber.await)
      expect(exits.map(({ _tag }) => _tag)).toEqual(["Failure", "Success", "Success"])
      expect(yield* gauges).toEqual([0, 0])
    })
  )

  it.effect("counts no waiting statement from the first statement on", () =>
    Effect.gen(function* () {
      expect(yield* gauges).toEqual([undefined, undefined])
      yield* makePass(1)(async () => "done", false)
      expect(yield* gauges).toEqual([0, 0])
    }).pipe(Effect.provideService(Metric.MetricRegistry, new Map()))
  )

  it.effect("never starts a cancelled statement, and keeps the place of one that is under way", () =>
    Effect.gen(function* () {
      const pass = makePass(1)
      const [first, third] = [held(), held()]
      const begun: Array<string> = []
      const inside = yield* Effect.forkChild(
        pass(() => first.promise, false),
        { startImmediately: true }
      )
      const waiting = yield* Effect.forkChild(
        pass(() => {
          begun.push("second")
          return third.promise
        }, false),
        { startImmediately: true }
      )
      yield* Fiber.interrupt(waiting)
      expect(yield* gauges).toEqual([1, 0])
      // Its caller has gone, but the connection is still busy with it.
      yield* Fiber.interrupt(inside)
      expect(yield* gauges).toEqual([1, 0])
      first.resolve("done")
      yield* turn
      expect([yield* gauges, begun]).toEqual([[0, 0], []])
    })
  )

  it.effect("starts more reads than connections, but none past a write that waits", () =>
    Effect.gen(function* () {
      const pass = makePass(1, 3)
      const begun: Array<string> = []
      const statement = Effect.fnUntraced(function* (name: string, onlyReads: boolean) {
        const { promise, resolve } = held()
        const run = () => {
          begun.push(name)
          return promise
        }
        const fiber = yield* Effect.forkChild(pass(run, onlyReads), { startImmediately: true })
        return Effect.andThen(
          Effect.promise(async () => resolve(name)),
          Fiber.join(fiber)
        )
      })
      const firstReader = yield* statement("first reader", true)
      const secondReader = yield* statement("second reader", true)
      const writer = yield* statement("writer", false)
      const thirdReader = yield* statement("third reader", true)
      expect(begun).toEqual(["first reader", "second reader"])
      yield* firstReader
      expect(begun).toHaveLength(2)
      yield* secondReader
      // The writer has a connection to itself first; the reader may follow it there.
      expect(begun).toEqual(["first reader", "second reader", "writer", "third reader"])
      expect(yield* gauges).toEqual([2, 0])
      expect(yield* Effect.all([writer, thirdReader])).toEqual(["writer", "third reader"])
    })
  )

  it.effect("starts the reads behind a write that is cancelled", () =>
    Effect.gen(function* () {
      const pass = makePass(1, 2)
      const begun: Array<string> = []
      const statement = (name: string, onlyReads: boolean) =>
        Effect.forkChild(
          pass(() => {
            begun.push(name)
            return held().promise
          }, onlyReads),
          { startImmediately: true }
        )
      yield* statement("first reader", true)
      const writer = yield* statement("writer", false)
      yield* statement("second reader", true)
      expect(begun).toEqual(["first reader"])
      yield* Fiber.interrupt(writer)
      expect(begun).toEqual(["first reader", "second reader"])
    })
  )

  it.effect("keeps no place for a statement that cannot be sent", () =>
    Effect.gen(function* () {
      const pass = makePass(1)
      const broken = (): Promise<string> => {
        throw new Error("no statement")
      }
      expect((yield* Effect.exit(pass(broken, false)))._tag).toBe("Failure")
      expect(yield* gauges).toEqual([0, 0])
      expect(yield* pass(async () => "done", false)).toBe("done")
    })
  )
})

describe("a statement that failed", () => {
  it.effect.each([
    ["25006", false, 2],
    ["25006", true, 2],
    ["NO_PRIMARY", true, 1],
    ["CONNECTION_CLOSED", false, 1],
    ["CONNECTION_CLOSED", true, 2]
  ] as const)("with %s (reads only: %s) is sent %d times", ([code, readOnly, times]) =>
    Effect.gen(function* () {
      let sent = 0
      const answer = async (): Promise<string> => {
        sent += 1
        throw new PgFailure("failed", code)
      }
      expect(yield* Effect.flip(makePass(1)(answer, readOnly))).toMatchObject({ retryable: true })
      expect(sent).toBe(times)
    })
  )
})

import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber, Metric } from "effect"
import { makeTurnstile as make } from "../src/client/PgTurnstile.ts"

/** As effects: interrupted, they leave the queue. */
const makeTurnstile = (...widths: Parameters<typeof make>) => {
  const enter = make(...widths)
  return <A>(run: () => PromiseLike<A>, onlyReads: boolean): Effect.Effect<A, unknown> =>
    Effect.withFiber(({ context }) =>
      Effect.callback((resume) => {
        const onSuccess = (answer: A) => resume(Effect.succeed(answer))
        const onFailure = (cause: unknown) => resume(Effect.fail(cause))
        const leave = enter({ run, onlyReads, onSuccess, onFailure }, context)
        return Effect.sync(leave)
      })
    )
}

const gauges = Effect.map(Metric.snapshot, (metrics) =>
  ["solar_sites_database_statements", "solar_sites_database_waiting"].map((id) => {
    const metric = metrics.find((one) => one.id === id)
    return metric?.type === "Gauge" ? Number(metric.state.value) : undefined
  })
)

/** A promise that is settled from outside. */
const held = () => Promise.withResolvers<string>()

describe("the turnstile in front of the pool", () => {
  it.effect("lets as many in as there are connections, the others in turn, and shows how many", () =>
    Effect.gen(function* () {
      const pass = makeTurnstile(2)
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
      yield* Effect.promise(() => second.promise)
      expect(begun).toEqual(["first", "second", "third"])
      expect(yield* gauges).toEqual([2, 0])
      first.reject(new Error("gone"))
      third.resolve("done")
      const exits = yield* Effect.forEach(fibers, Fiber.await)
      expect(exits.map(({ _tag }) => _tag)).toEqual(["Failure", "Success", "Success"])
      expect(yield* gauges).toEqual([0, 0])
    })
  )

  it.effect("shows that nobody waits from the first statement on", () =>
    Effect.gen(function* () {
      expect(yield* gauges).toEqual([undefined, undefined])
      yield* makeTurnstile(1)(async () => "done", false)
      expect(yield* gauges).toEqual([0, 0])
    }).pipe(Effect.provideService(Metric.MetricRegistry, new Map()))
  )

  it.effect("never begins what was given up while it waited, and keeps the place of what was not", () =>
    Effect.gen(function* () {
      const pass = makeTurnstile(1)
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
      yield* Effect.promise(() => first.promise)
      expect([yield* gauges, begun]).toEqual([[0, 0], []])
    })
  )

  it.effect("lets what only reads in beyond the connections, but nobody past a writer who waits", () =>
    Effect.gen(function* () {
      const pass = makeTurnstile(1, 3)
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

  it.effect("lets the readers in who waited behind a writer that has given up", () =>
    Effect.gen(function* () {
      const pass = makeTurnstile(1, 2)
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

  it.effect("keeps no place for what could not even begin", () =>
    Effect.gen(function* () {
      const pass = makeTurnstile(1)
      const broken = (): Promise<string> => {
        throw new Error("no statement")
      }
      expect((yield* Effect.exit(pass(broken, false)))._tag).toBe("Failure")
      expect(yield* gauges).toEqual([0, 0])
      expect(yield* pass(async () => "done", false)).toBe("done")
    })
  )
})

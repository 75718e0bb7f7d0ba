import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber, Metric } from "effect"
import { makeTurnstile } from "../src/PgTurnstile.ts"

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
          }),
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

  it.effect("never begins what was given up while it waited, and keeps the place of what was not", () =>
    Effect.gen(function* () {
      const pass = makeTurnstile(1)
      const [first, third] = [held(), held()]
      const begun: Array<string> = []
      const inside = yield* Effect.forkChild(
        pass(() => first.promise),
        { startImmediately: true }
      )
      const waiting = yield* Effect.forkChild(
        pass(() => {
          begun.push("second")
          return third.promise
        }),
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
})

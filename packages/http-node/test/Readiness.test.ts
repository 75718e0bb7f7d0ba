import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect, it } from "vitest"
import { readiness } from "../src/handlers/Readiness.ts"

/** Readiness of one dependency, and how often that was asked. */
const looking = (isUp: Effect.Effect<boolean>) => {
  let looks = 0
  const check = {
    name: "database",
    problem: "database_unavailable" as const,
    isUp: Effect.suspend(() => {
      looks += 1
      return isUp
    })
  }
  return { ask: Effect.isSuccess(readiness([check], () => false)), looks: () => looks }
}

const inTestTime = <A>(effect: Effect.Effect<A>): Promise<A> =>
  Effect.runPromise(Effect.provide(effect, TestClock.layer()))

const together = <A>(count: number, effect: Effect.Effect<A>) =>
  Effect.all(
    Array.from({ length: count }, () => effect),
    { concurrency: "unbounded" }
  )

describe("readiness", () => {
  it("checks once per second for all requests, and shows no older state", () =>
    inTestTime(
      Effect.gen(function* () {
        let isUp = true
        const { ask, looks } = looking(Effect.sync(() => isUp))
        expect(new Set(yield* together(50, ask))).toEqual(new Set([true]))
        isUp = false
        yield* TestClock.adjust("900 millis")
        expect([yield* ask, looks()]).toEqual([true, 1])
        yield* TestClock.adjust("100 millis")
        expect([yield* ask, looks()]).toEqual([false, 2])
      })
    ))

  it("waits two seconds for a dependency that hangs, with one check for all requests, and then checks again", () =>
    inTestTime(
      Effect.gen(function* () {
        const { ask, looks } = looking(Effect.never)
        const asking = yield* Effect.forkChild(together(50, ask))
        yield* TestClock.adjust("1500 millis")
        const later = yield* Effect.forkChild(ask)
        yield* TestClock.adjust("500 millis")
        expect(new Set(yield* Fiber.join(asking))).toEqual(new Set([false]))
        expect([yield* Fiber.join(later), looks()]).toEqual([false, 1])
        const next = yield* Effect.forkChild(ask)
        yield* TestClock.adjust("2 seconds")
        expect([yield* Fiber.join(next), looks()]).toEqual([false, 2])
      })
    ))

  it("answers with the reason that a check fails with, and with that of the contract without one", () =>
    inTestTime(
      Effect.gen(function* () {
        const ask = (isUp: Effect.Effect<boolean, string>) =>
          Effect.orDie(
            Effect.flip(readiness([{ name: "database", problem: "database_unavailable", isUp }], () => false))
          )
        const members = { checks: { database: "down" } }
        expect(yield* ask(Effect.fail("The disk is full."))).toMatchObject({ detail: "The disk is full.", members })
        for (const isUp of [Effect.succeed(false), Effect.die("an address")]) {
          const refused = yield* ask(isUp)
          expect([refused.detail, refused.members]).toEqual([undefined, members])
        }
      })
    ))

  it("completes a check whose first client has disconnected", () =>
    inTestTime(
      Effect.gen(function* () {
        const { ask } = looking(Effect.as(Effect.sleep("1 second"), true))
        const first = yield* Effect.forkChild(ask)
        yield* TestClock.adjust("100 millis")
        const second = yield* Effect.forkChild(ask)
        yield* TestClock.adjust("100 millis")
        yield* Fiber.interrupt(first)
        yield* TestClock.adjust("2 seconds")
        expect(yield* Fiber.join(second)).toBe(true)
      })
    ))
})

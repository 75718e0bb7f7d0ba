/**
 * Cases about time run in a time zone with summer time as well: in UTC an adapter that stores local
 * times, or reads days as local ones, cannot be told from a right one.
 */
import { Effect, Semaphore } from "effect"
import { assert } from "./Assert.ts"
import type { ConformanceCase } from "./Conformance.ts"
import { changedAgainAt } from "./Setup.ts"

// Winter time begins there between `changedAt` and `changedAgainAt`: the later one has the earlier
// local time.
const zone = "Europe/Berlin"
const localHour = 2

// The process has one time zone, so that cases take turns.
const turn = Semaphore.makeUnsafe(1)

const setZone = (name: string | undefined): void => {
  if (name === undefined) delete process.env["TZ"]
  else process.env["TZ"] = name
}

const enter = Effect.sync(() => {
  const before = process.env["TZ"]
  setZone(zone)
  return before
})

const inZone = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  turn.withPermits(1)(
    Effect.acquireUseRelease(
      enter,
      () => {
        const isInZone = new Date(changedAgainAt.epochMilliseconds).getHours() === localHour
        assert.ok(isInZone, `the test runner must be started with TZ=${zone}: this thread cannot change its time zone`)
        return effect
      },
      (before) => Effect.sync(() => setZone(before))
    )
  )

/** The case in a time zone with summer time. */
export const inOtherZone = <Ports>({ check, name }: ConformanceCase<Ports>): ConformanceCase<Ports> => ({
  name: `${name} (in ${zone})`,
  check: inZone(check)
})

/** The case, and the same case in a time zone with summer time. */
export const inBothZones = <Ports>(one: ConformanceCase<Ports>): ReadonlyArray<ConformanceCase<Ports>> => [
  one,
  inOtherZone(one)
]

/**
 * The clock of a harness: it stands at an instant of 2026 until it is advanced,
 * and is part of the context that everything over the harness is built from.
 */
import { Clock, Context, DateTime, Duration, Effect, Layer, Option, type Scope, Semaphore } from "effect"
import * as TestClock from "effect/testing/TestClock"

const startsAt = DateTime.makeUnsafe("2026-06-01T09:00:00.000Z")

/**
 * So much of a long advance is lived through tick by tick. A year has three
 * million ticks of the sweeper, and nobody waits for those.
 */
const awake = Duration.hours(1)

/** What stands in for the clock of the platform, and what moves it on. */
export interface HarnessClock {
  readonly context: Context.Context<never>
  readonly advance: (duration: Duration.Input) => Effect.Effect<void>
}

/** What Effect would take for no time at all. */
const isNoNumber = (input: Duration.Input): boolean =>
  typeof input === "object" ? Object.values({ ...input }).some(Number.isNaN) : Number.isNaN(input)

const forward = (input: Duration.Input): Duration.Duration => {
  const duration = isNoNumber(input) ? Option.none() : Duration.fromInput(input)
  if (Option.isSome(duration) && Duration.isFinite(duration.value) && !Duration.isNegative(duration.value)) {
    return duration.value
  }
  const given = typeof input === "string" ? JSON.stringify(input) : String(input)
  throw new RangeError(`The clock goes forward, by a duration that ends, such as "61 seconds"; ${given} is none`)
}

/** It never warns that nobody advances it: standing is what it is for. */
export const makeHarnessClock: Effect.Effect<HarnessClock, never, Scope.Scope> = Effect.gen(function* () {
  const built = yield* Layer.build(TestClock.layer({ warningDelay: Duration.infinity }))
  const clock = yield* Effect.provideContext(TestClock.testClockWith(Effect.succeed), built)
  yield* clock.setTime(DateTime.toEpochMillis(startsAt))
  const oneAtATime = yield* Semaphore.make(1)
  let asleepUntil = 0

  const advance = (input: Duration.Input) =>
    Effect.gen(function* () {
      const duration = forward(input)
      yield* clock.adjust(Duration.min(duration, awake))
      if (Duration.isLessThanOrEqualTo(duration, awake)) return
      const rest = Duration.subtract(duration, awake)
      asleepUntil = clock.currentTimeMillisUnsafe() + Duration.toMillis(rest)
      yield* clock.adjust(rest)
    }).pipe(oneAtATime.withPermits(1))

  // As on a machine that was suspended: whatever comes due in the meantime does so once, and again at the end.
  const sleep = (duration: Duration.Duration) =>
    Effect.suspend(() =>
      clock.sleep(Duration.max(duration, Duration.millis(Math.max(0, asleepUntil - clock.currentTimeMillisUnsafe()))))
    )

  // Also what `TestClock.adjust` finds in a program over the harness.
  const standing: TestClock.TestClock = { ...clock, adjust: advance, sleep }
  return { context: Context.merge(built, Context.make(Clock.Clock, standing)), advance }
})

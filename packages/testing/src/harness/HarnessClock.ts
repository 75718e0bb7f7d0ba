/**
 * The clock of a harness. It stands at an instant of 2026 until it is advanced, and is part of the
 * context of everything built on the harness.
 */
import { Clock, Context, DateTime, Duration, Effect, Layer, Option, type Scope, Semaphore } from "effect"
import * as TestClock from "effect/testing/TestClock"

const startsAt = DateTime.makeUnsafe("2026-06-01T09:00:00.000Z")

/**
 * A longer advance runs tick by tick for this time only. A year has three million ticks of the
 * sweeper.
 */
const tickingTime = Duration.hours(1)

/** Replacement of the platform clock, and the control of it. */
export interface HarnessClock {
  readonly context: Context.Context<never>
  readonly advance: (duration: Duration.Input) => Effect.Effect<void>
}

/** Effect treats such a duration as zero. */
const hasNaN = (input: Duration.Input): boolean =>
  typeof input === "object" ? Object.values({ ...input }).some(Number.isNaN) : Number.isNaN(input)

const forward = (input: Duration.Input): Duration.Duration => {
  const duration = hasNaN(input) ? Option.none() : Duration.fromInput(input)
  if (Option.isSome(duration) && Duration.isFinite(duration.value) && !Duration.isNegative(duration.value)) {
    return duration.value
  }
  const given = typeof input === "string" ? JSON.stringify(input) : String(input)
  throw new RangeError(
    `harness.advance: expected a finite duration of at least zero, such as "61 seconds", not ${given}`
  )
}

/** Creates the clock. It never warns that it is not advanced, unlike `TestClock`. */
export const makeHarnessClock: Effect.Effect<HarnessClock, never, Scope.Scope> = Effect.gen(function* () {
  const built = yield* Layer.build(TestClock.layer({ warningDelay: Duration.infinity }))
  const clock = yield* Effect.provideContext(TestClock.testClockWith(Effect.succeed), built)
  yield* clock.setTime(DateTime.toEpochMillis(startsAt))
  const oneAtATime = yield* Semaphore.make(1)
  let suspendedUntil = 0

  const advance = (input: Duration.Input) =>
    Effect.gen(function* () {
      const duration = forward(input)
      yield* clock.adjust(Duration.min(duration, tickingTime))
      if (Duration.isLessThanOrEqualTo(duration, tickingTime)) return
      const rest = Duration.subtract(duration, tickingTime)
      suspendedUntil = clock.currentTimeMillisUnsafe() + Duration.toMillis(rest)
      yield* clock.adjust(rest)
    }).pipe(oneAtATime.withPermits(1))

  // Like a suspended machine: a timer that is due during the jump fires once, at its end.
  const sleep = (duration: Duration.Duration) =>
    Effect.suspend(() =>
      clock.sleep(
        Duration.max(duration, Duration.millis(Math.max(0, suspendedUntil - clock.currentTimeMillisUnsafe())))
      )
    )

  // `TestClock.adjust` uses this service too.
  const harnessClock: TestClock.TestClock = { ...clock, adjust: advance, sleep }
  return { context: Context.merge(built, Context.make(Clock.Clock, harnessClock)), advance }
})

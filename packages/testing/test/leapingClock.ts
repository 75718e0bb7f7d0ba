import { Clock, Duration, Effect, Layer } from "effect"
import * as TestClock from "effect/testing/TestClock"

/** A clock that leaps over every sleep. Adapters in memory need no time between two looks at them. */
export const leapingClock: Layer.Layer<never> = Layer.effect(
  Clock.Clock,
  Effect.map(TestClock.make({ warningDelay: Duration.infinity }), (clock) => ({ ...clock, sleep: clock.adjust }))
)

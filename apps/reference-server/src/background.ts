/** Work that repeats while a service runs. */
import { type Duration, Effect, Schedule, type Scope } from "effect"

/** Runs at once, and then at an interval until the scope ends. A failure is logged, and the next run comes all the same. */
export const inBackground =
  (interval: Duration.Input, failure: string) =>
  <E, R>(work: Effect.Effect<unknown, E, R>): Effect.Effect<void, never, R | Scope.Scope> =>
    work.pipe(
      Effect.catchCause((cause) => Effect.logWarning(failure, cause)),
      Effect.repeat(Schedule.spaced(interval)),
      Effect.forkScoped,
      Effect.asVoid
    )

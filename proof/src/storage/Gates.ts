/**
 * A deterministic scheduler: every port call of a command waits at a gate, and the proof decides
 * which gate opens next. Time passes only when the proof advances it.
 */
import { Clock, Context, Deferred, Duration, Effect, Logger, Scheduler } from "effect"

export interface Command {
  /** The calls of a killed process never go on. */
  isKilled: boolean
  /** A storage notices when the client of an upload is gone: it is interrupted, not killed. */
  isUpload: boolean
}

/** Calls outside of commands run at once. */
export const RunningCommand = Context.Reference<Command | null>("proof/RunningCommand", { defaultValue: () => null })

/** Blocked at a gate, or asleep until an instant. */
interface Blocked {
  readonly command: Command | null
  readonly dueAt: number
  readonly resume: () => void
}

export type Gates = ReturnType<typeof makeGates>

export const makeGates = (startsAt: number) => {
  let now = startsAt
  const sleepers = new Set<Blocked>()
  const atGates = new Set<Blocked>()
  let underWay = 0
  let ended = Promise.withResolvers<void>()
  const tasks: Array<() => void> = []

  const runTasks = (): void => {
    while (tasks.length > 0) for (const task of tasks.splice(0)) task()
  }
  const dispatcher: Scheduler.SchedulerDispatcher = {
    scheduleTask: (task) => {
      if (tasks.push(task) === 1) queueMicrotask(runTasks)
    },
    flush: runTasks
  }

  /** Blocks the fiber until it is resumed. */
  const block = (where: Set<Blocked>, dueAt: number): Effect.Effect<void> =>
    Effect.flatMap(RunningCommand, (command) =>
      Effect.suspend(() => {
        const deferred = Deferred.makeUnsafe<void>()
        const blocked = { command, dueAt, resume: () => void Deferred.doneUnsafe(deferred, Effect.void) }
        where.add(blocked)
        return Effect.ensuring(
          Deferred.await(deferred),
          Effect.sync(() => where.delete(blocked))
        )
      })
    )

  const nanos = (): bigint => BigInt(now) * 1_000_000n
  const clock: Clock.Clock = {
    currentTimeMillisUnsafe: () => now,
    currentTimeMillis: Effect.sync(() => now),
    currentTimeNanosUnsafe: nanos,
    currentTimeNanos: Effect.sync(nanos),
    monotonicTimeNanosUnsafe: nanos,
    monotonicTimeNanos: Effect.sync(nanos),
    sleep: (duration) => Effect.suspend(() => block(sleepers, now + Duration.toMillis(duration)))
  }
  const scheduler: Scheduler.Scheduler = {
    executionMode: "async",
    shouldYield: () => false,
    makeDispatcher: () => dispatcher
  }

  /** Waits until the proof opens the gate. */
  const wait = Effect.suspend(() => block(atGates, now))

  /** An effect that ends by itself, such as a request; `settle` waits for it. */
  const passing = <A, E, R>(call: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.suspend(() => {
      underWay += 1
      return Effect.ensuring(
        call,
        Effect.sync(() => {
          underWay -= 1
          ended.resolve()
          ended = Promise.withResolvers()
        })
      )
    })

  const gated = <A, E, R>(call: Effect.Effect<A, E, R>, answers: boolean): Effect.Effect<A, E, R> =>
    Effect.flatMap(RunningCommand, (command) => {
      if (command === null) return passing(call)
      const called = Effect.andThen(wait, passing(call))
      return answers ? Effect.tap(called, () => wait) : called
    })

  /** Resolves when every command has ended, sleeps or waits at a gate. */
  const settle = async (): Promise<void> => {
    for (runTasks(); underWay > 0; runTasks()) await ended.promise
  }

  const alive = (where: ReadonlySet<Blocked>) => [...where].filter(({ command }) => command?.isKilled !== true)

  return {
    /** Time and scheduler of everything that runs. */
    context: Context.make(Clock.Clock, clock).pipe(
      Context.add(Scheduler.Scheduler, scheduler),
      Context.add(Logger.CurrentLoggers, new Set<Logger.Logger<unknown, unknown>>())
    ),
    wait,
    /** The port behind gates. With `answers`, answers wait as well. */
    port: <Port extends object>(port: Port, answers = false): Port =>
      new Proxy(port, {
        get: (target, key, receiver) => {
          const method = Reflect.get(target, key, receiver)
          if (typeof method !== "function") return method
          return (...args: ReadonlyArray<unknown>) =>
            gated(
              Effect.suspend(() => method.apply(target, args)),
              answers
            )
        }
      }),
    passing,
    settle,
    waiting: () => alive(atGates).length,
    /** `index` counts from the longest waiting, a negative one from the last. */
    open: (index: number) => alive(atGates).at(index)?.resume(),
    now: () => now,
    /** Sleepers wake up at their instants. */
    advance: async (millis: number) => {
      const until = now + millis
      for (;;) {
        const [first] = alive(sleepers).toSorted((a, b) => a.dueAt - b.dueAt)
        if (first === undefined || first.dueAt > until) break
        now = Math.max(now, first.dueAt)
        first.resume()
        await settle()
      }
      now = until
    }
  }
}

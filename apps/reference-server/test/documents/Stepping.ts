/**
 * Ports whose calls wait for the test: between two steps every command is blocked
 * before its next call.
 */
import { Context, Deferred, Effect } from "effect"

/** Calls of the command with the highest priority run first. */
export interface Command {
  readonly priority: number
}

/** Calls outside of commands run at once. */
export const RunningCommand = Context.Reference<Command | null>("test/RunningCommand", { defaultValue: () => null })

interface Waiting {
  readonly command: Command
  readonly resumed: Deferred.Deferred<void>
}

export const makeStepping = () => {
  const waiting = new Set<Waiting>()
  let underWay = 0

  const wait = (command: Command) =>
    Effect.suspend(() => {
      const call: Waiting = { command, resumed: Deferred.makeUnsafe() }
      waiting.add(call)
      return Deferred.await(call.resumed).pipe(Effect.ensuring(Effect.sync(() => waiting.delete(call))))
    })

  const stepped = <A, E, R>(call: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.gen(function* () {
      const command = yield* RunningCommand
      if (command !== null) yield* wait(command)
      underWay++
      return yield* Effect.ensuring(
        call,
        Effect.sync(() => underWay--)
      )
    })

  const steppedPort = <Port extends object>(intact: Port): Port =>
    new Proxy(intact, {
      get: (target, key, receiver) => {
        const method = Reflect.get(target, key, receiver)
        if (typeof method !== "function") return method
        return (...args: ReadonlyArray<unknown>) => stepped(Effect.suspend(() => method.apply(target, args)))
      }
    })

  /** Waits until every command has ended, sleeps or is blocked before a call. */
  const quiet = Effect.gen(function* () {
    for (let turns = 0; turns < 12; turns = underWay > 0 ? 0 : turns + 1) yield* Effect.yieldNow
  })

  /** Runs the first blocked calls; false if there is none. */
  const goOn = (count: number) =>
    Effect.gen(function* () {
      const first = [...waiting].sort((a, b) => b.command.priority - a.command.priority).slice(0, count)
      for (const { resumed } of first) yield* Deferred.succeed(resumed, undefined)
      return first.length > 0
    })

  return { stepped, steppedPort, quiet, goOn }
}

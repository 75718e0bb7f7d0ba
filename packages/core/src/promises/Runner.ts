/**
 * Runs effects as promises and encodes their results as plain objects.
 */
import {
  Cause,
  type Context,
  type DateTime,
  Effect,
  Exit,
  type Layer,
  ManagedRuntime,
  Pull,
  Scope,
  Stream
} from "effect"
import type { CallOptions } from "../caller/CallOptions.ts"

/** The JSON form of a value. */
export type Wire<A> = A extends string | number | boolean | null | undefined
  ? A
  : A extends DateTime.DateTime
    ? string
    : A extends ReadonlyArray<infer Item>
      ? ReadonlyArray<Wire<Item>>
      : { readonly [Member in keyof A]: Wire<A[Member]> }

/** Encodes as HTTP does, so that no class instance and no further member gets out. */
const wire = <A>(value: A): Wire<A> => {
  const plain = value === undefined ? undefined : JSON.parse(JSON.stringify(value))
  return plain
}

export interface Runner<R> {
  /** Interrupted by the signal and by `dispose`. */
  readonly read: <A, E>(effect: Effect.Effect<A, E, R>, options?: CallOptions) => Promise<Wire<A>>
  /** Not interrupted once it has started; resolves with its outcome. */
  readonly write: <A, E>(effect: Effect.Effect<A, E, R>, options?: CallOptions) => Promise<Wire<A>>
  readonly stream: <A, E>(stream: Stream.Stream<A, E, R>, options?: CallOptions) => AsyncIterable<Wire<A>>
  /** The services the promises run on, until `dispose`. */
  readonly context: Effect.Effect<Context.Context<R>, unknown>
  readonly dispose: () => Promise<void>
}

export const makeRunner = <R, E>(layer: Layer.Layer<R, E>): Runner<R> => {
  const runtime = ManagedRuntime.make(layer)
  let disposed = false

  const check = (signal: AbortSignal | undefined) => {
    if (disposed) throw new Error("This SolarSites is closed.")
    signal?.throwIfAborted()
  }

  const run = async <A, E>(
    effect: Effect.Effect<A, E, R>,
    { signal }: CallOptions,
    outcome: () => Exit.Exit<A, E> | undefined = () => undefined
  ): Promise<A> => {
    check(signal)
    const ended = await runtime.runPromiseExit(effect, signal && { signal })
    const exit = outcome() ?? ended
    if (Exit.isSuccess(exit)) return exit.value
    if (Cause.hasInterruptsOnly(exit.cause)) check(signal)
    throw Cause.squash(exit.cause)
  }

  const write = <A, E>(effect: Effect.Effect<A, E, R>, options: CallOptions = {}) => {
    // The exit of the effect counts, also when the signal aborts while it runs.
    let outcome: Exit.Exit<A, E> | undefined
    const observed = Effect.onExit(effect, (exit) =>
      Effect.sync(() => {
        outcome = exit
      })
    )
    return run(Effect.uninterruptible(observed), options, () => outcome).then(wire)
  }

  const iterate = async function* <A, E>(stream: Stream.Stream<A, E, R>, options: CallOptions) {
    const scope = Scope.makeUnsafe()
    try {
      const pull = await run(Effect.provideService(Stream.toPull(stream), Scope.Scope, scope), options)
      const next = Pull.catchDone(pull, () => Effect.succeed<ReadonlyArray<A>>([]))
      for (let items = await run(next, options); items.length > 0; items = await run(next, options)) {
        yield* items.map(wire)
      }
    } finally {
      await Effect.runPromise(Scope.close(scope, Exit.void))
    }
  }

  // Starts background work now, not with the first call. A failure rejects every call.
  runtime.context().catch(() => {})

  return {
    read: (effect, options = {}) => run(effect, options).then(wire),
    write,
    stream: (stream, options = {}) => ({ [Symbol.asyncIterator]: () => iterate(stream, options) }),
    context: Effect.suspend(() => runtime.contextEffect),
    dispose: () => {
      disposed = true
      return runtime.dispose()
    }
  }
}

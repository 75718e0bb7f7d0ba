/**
 * Operation tables: a row names a service method, the decoders of its inputs, and whether it reads
 * or writes. A table that is bound to a runner has one promise per row.
 */
import { type Context, Effect, Stream } from "effect"
import type { Argument } from "./Input.ts"
import type { CallOptions } from "./Operations.ts"
import type { Runner } from "./Runner.ts"

/** The ways in which a row can run. */
export type Calls<R> = Pick<Runner<R>, "read" | "write" | "stream">

type Arguments = ReadonlyArray<unknown>

/** A decoder for every parameter of a method, the optional ones included. */
type Inputs<Values extends Arguments> = NoInfer<{
  readonly [Index in keyof Values]-?: Argument<Values[Index] | undefined, unknown>
}>

/** Calls the method of a service with the decoded arguments of a promise. */
const invocation = <Id, Service, Values extends Arguments, Result>(
  service: Context.Key<Id, Service>,
  method: (service: Service) => (...values: Values) => Result,
  inputs: Inputs<Values>
) => {
  const decoders: ReadonlyArray<Argument<unknown, unknown>> = inputs
  const optionsAt = decoders.filter(({ inOptions = false }) => !inOptions).length
  return (args: Arguments) => {
    // At once: what the application does to its objects afterwards has no effect.
    const decoded = decoders.map(({ decode, inOptions = false }, index) => decode(args[inOptions ? optionsAt : index]))
    // The last input first: as over HTTP, faults of options and body come before an unknown id.
    const result = Effect.flatMap(Effect.all(decoded.toReversed()), (values) =>
      // Each decoder gives the value of its own position.
      Effect.map(service, (found) => method(found)(...(values.toReversed() as unknown as Values)))
    )
    // The interfaces in Operations.ts give options this type; a runner reads nothing but `signal`.
    return { result, options: args[optionsAt] as CallOptions | undefined }
  }
}

const row =
  (kind: "read" | "write") =>
  <Id, Service, Values extends Arguments, A, E, R>(
    service: Context.Key<Id, Service>,
    method: (service: Service) => (...values: Values) => Effect.Effect<A, E, R>,
    inputs: Inputs<Values>
  ) => {
    const invoke = invocation(service, method, inputs)
    return (calls: Calls<Id | R>) =>
      (...args: Arguments) => {
        const { options, result } = invoke(args)
        return calls[kind](Effect.flatten(result), options)
      }
  }

/** A row that only reads: its signal cancels it. */
export const read = row("read")

/** A row that makes a change: once begun, it completes. */
export const write = row("write")

/** A row that reads a stream: its signal cancels it. */
export const stream = <Id, Service, Values extends Arguments, A, E, R>(
  service: Context.Key<Id, Service>,
  method: (service: Service) => (...values: Values) => Stream.Stream<A, E, R>,
  inputs: Inputs<Values>
) => {
  const invoke = invocation(service, method, inputs)
  return (calls: Calls<Id | R>) =>
    (...args: Arguments) => {
      const { options, result } = invoke(args)
      return calls.stream(Stream.unwrap(result), options)
    }
}

type Table<R> = Readonly<Record<string, (calls: Calls<R>) => unknown>>

/** The promises of a table. */
export const bind = <R, const Rows extends Table<R>>(rows: Rows, calls: Calls<R>) =>
  // Each name keeps the promise of its own row.
  Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, row(calls)])) as {
    readonly [Name in keyof Rows]: ReturnType<Rows[Name]>
  }

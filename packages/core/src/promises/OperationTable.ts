/**
 * Tables of promises: a row names a service method, the decoders of its inputs, and whether it reads
 * or writes. A table that is bound to a runner has one promise per row.
 */
import { Effect, Exit, Stream } from "effect"
import type { CurrentCaller } from "../caller/Caller.ts"
import type { CallOptions } from "../caller/CallOptions.ts"
import type { Operation } from "../caller/Operation.ts"
import { type Argument, argumentsOf } from "./Input.ts"
import type { Runner, Wire } from "./Runner.ts"

/** The ways in which a row can run. */
export type Calls<R> = Pick<Runner<R>, "read" | "write" | "stream">

type Arguments = ReadonlyArray<unknown>

/** A decoder for every parameter of a method, the optional ones included. */
type Inputs<Values extends Arguments> = NoInfer<{
  readonly [Index in keyof Values]-?: Argument<Values[Index] | undefined, unknown>
}>

/** Decodes the arguments of a promise and calls the method of a service with them. */
const invocation = <Id, Service, Values extends Arguments, A, E, R>(
  service: Effect.Effect<Service, never, Id>,
  method: (service: Service) => (...values: Values) => Effect.Effect<A, E, R>,
  inputs: Inputs<Values>
) => {
  const decoders: ReadonlyArray<Argument<unknown, unknown>> = inputs
  const optionsAt = decoders.filter(({ inOptions = false }) => !inOptions).length
  // The last input first: as over HTTP, faults of options and body come before an unknown id.
  const lastFirst = [...decoders.entries()].reverse()

  // At once: what the application does to its objects afterwards has no effect.
  const decode = (args: Arguments): Exit.Exit<Values, unknown> => {
    const values: Array<unknown> = []
    for (const [index, { decode, inOptions = false }] of lastFirst) {
      const decoded = decode(args[inOptions ? optionsAt : index])
      if (Exit.isFailure(decoded)) return Exit.failCause(decoded.cause)
      values[index] = decoded.value
    }
    // Each decoder gives the value of its own position.
    return Exit.succeed(values as unknown as Values)
  }

  return (args: Arguments) => ({
    result: Effect.flatMap(decode(args), (values) => Effect.flatMap(service, (found) => method(found)(...values))),
    // The interfaces of operations give options this type; a runner reads nothing but `signal`.
    options: args[optionsAt] as CallOptions | undefined
  })
}

const row =
  (kind: "read" | "write") =>
  <Id, Service, Values extends Arguments, A, E, R>(
    service: Effect.Effect<Service, never, Id>,
    method: (service: Service) => (...values: Values) => Effect.Effect<A, E, R>,
    inputs: Inputs<Values>
  ) => {
    const invoke = invocation(service, method, inputs)
    return (calls: Calls<Id | R>) =>
      (...args: Arguments): Promise<Wire<A>> => {
        const { options, result } = invoke(args)
        return calls[kind](result, options)
      }
  }

/** A row that only reads: its signal cancels it. */
export const read = row("read")

/** A row that makes a change: once begun, it completes. */
export const write = row("write")

/** A row that reads a stream: its signal cancels it. */
const stream = <Id, Service, Values extends Arguments, A, E, R>(
  service: Effect.Effect<Service, never, Id>,
  method: (service: Service) => (...values: Values) => Stream.Stream<A, E, R>,
  inputs: Inputs<Values>
) => {
  const started = (found: Service) => {
    const open = method(found)
    return (...values: Values) => Effect.succeed(open(...values))
  }
  const invoke = invocation(service, started, inputs)
  return (calls: Calls<Id | R>) =>
    (...args: Arguments): AsyncIterable<Wire<A>> => {
      const { options, result } = invoke(args)
      return calls.stream(Stream.unwrap(result), options)
    }
}

type PromiseOf<Method> = Method extends (...input: never) => Effect.Effect<infer A, unknown, unknown>
  ? (...args: Arguments) => Promise<Wire<A>>
  : Method extends (...input: never) => Stream.Stream<infer A, unknown, unknown>
    ? (...args: Arguments) => AsyncIterable<Wire<A>>
    : never

/** The rows of operations: each calls the method of its name. */
export const rowsOf = <Id, Service, Rows extends { readonly [Name in keyof Rows & keyof Service]: Operation }>(
  service: Effect.Effect<Service, never, Id>,
  operations: Rows
) => {
  const rows = Object.entries<Operation>(operations).map(([name, operation]) => {
    const make = { read, stream, write }[operation.kind]
    return [name, make(service, (found: Service) => Reflect.get(Object(found), name), argumentsOf(operation) as never)]
  })
  // `guarded` has checked that each method takes the arguments of its row; a loop cannot keep the types.
  return Object.fromEntries(rows) as {
    readonly [Name in keyof Rows & keyof Service]: (calls: Calls<Id | CurrentCaller>) => PromiseOf<Service[Name]>
  }
}

/** Rows by the names of their promises. */
export type Table<R> = Readonly<Record<string, (calls: Calls<R>) => unknown>>

/** The promises of a table; `callsOf` says how the row of a name runs. */
export const bind = <R, const Rows extends Table<R>>(rows: Rows, callsOf: (name: keyof Rows) => Calls<R>) => {
  const promises: Record<string, unknown> = {}
  for (const name in rows) promises[name] = rows[name]?.(callsOf(name))
  // Each name has the promise of its own row.
  return promises as { readonly [Name in keyof Rows]: ReturnType<Rows[Name]> }
}

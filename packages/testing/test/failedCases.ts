import type { ConformanceSuite } from "@solar-sites/testing"
import { Cause, Effect, Exit, type Layer } from "effect"
import { expect } from "vitest"

/** Whether a case is of this promise. One of random steps or records has a case per sequence. */
const isOf =
  (name: string) =>
  (promise: string): boolean =>
    name === promise ||
    /^ \(random steps \d+\)(?: \(in Europe\/Berlin\))?$/.test(
      name.startsWith(promise) ? name.slice(promise.length) : ""
    )

/** The promises that no failed case is of. */
export const unnoticed = (promises: ReadonlyArray<string>, failed: ReadonlyArray<string>): ReadonlyArray<string> =>
  promises.filter((promise) => !failed.some((name) => isOf(name)(promise)))

/**
 * Names of the cases that an adapter fails, out of those named or of all. The message of each
 * failure must contain the expected and the actual value.
 */
export const failedCases = async <Ports>(
  { cases }: ConformanceSuite<Ports>,
  adapter: Layer.Layer<Ports>,
  names: ReadonlyArray<string> = cases.map(({ name }) => name)
): Promise<ReadonlyArray<string>> => {
  const exits = await Effect.runPromise(
    Effect.forEach(
      cases.filter(({ name }) => names.some(isOf(name))),
      ({ check, name }) => Effect.map(Effect.exit(Effect.provide(check, adapter)), (exit) => ({ name, exit }))
    )
  )
  return exits.flatMap(({ exit, name }) => {
    if (Exit.isSuccess(exit)) return []
    const message = Cause.pretty(exit.cause)
    const isComplete = !message.startsWith("AssertionError") || /expected: [\s\S]+actual: /.test(message)
    expect(isComplete, `${name}: ${message.slice(0, 300)}`).toBe(true)
    return [name]
  })
}

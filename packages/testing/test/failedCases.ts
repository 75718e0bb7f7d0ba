import type { ConformanceSuite } from "@solar-sites/testing"
import { Cause, Effect, Exit, type Layer } from "effect"
import { expect } from "vitest"

/** The cases that an adapter fails. Each of them says what it expected and what it found. */
export const failedCases = async <Ports>(
  { cases }: ConformanceSuite<Ports>,
  adapter: Layer.Layer<Ports>
): Promise<ReadonlyArray<string>> => {
  const exits = await Effect.runPromise(
    Effect.forEach(cases, ({ check, name }) =>
      Effect.map(Effect.exit(Effect.provide(check, adapter)), (exit) => ({ name, exit }))
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

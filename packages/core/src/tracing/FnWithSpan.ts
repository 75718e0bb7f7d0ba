/**
 * Spans of service methods for the tracer of the host. `Effect.fn` also captures a stack trace per
 * call, which costs as much as many methods, and creates spans without a configured tracer.
 */
import { Effect, Tracer } from "effect"

/** Like `Effect.fnUntraced`, within a span of this name when a tracer is configured. */
export const fnWithSpan = (name: string): typeof Effect.fnUntraced => {
  const define = (...definition: Parameters<typeof Effect.fnUntraced>) => {
    const method = Effect.fnUntraced(...definition) as (...input: ReadonlyArray<unknown>) => Effect.Effect<unknown>
    return (...input: ReadonlyArray<unknown>) =>
      Effect.withFiber((fiber) => {
        const effect = method(...input)
        if (fiber.getRef(Tracer.Tracer) === Tracer.nativeTracer) return effect
        return Effect.withSpan(effect, name, { captureStackTrace: false })
      })
  }
  // The span does not change parameters and results of the definition.
  return define as typeof Effect.fnUntraced
}

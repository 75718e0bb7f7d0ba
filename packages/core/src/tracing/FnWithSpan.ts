/**
 * The span of a rule, for the tracer of the host. `Effect.fn` would also note,
 * for every call, where it came from, which costs as much as many a rule, and
 * would make spans that nobody sees while no tracer is configured.
 */
import { Effect, Tracer } from "effect"

/** As `Effect.fnUntraced`, within a span of this name where there is a tracer. */
export const fnWithSpan = (name: string): typeof Effect.fnUntraced => {
  const spanned = (...definition: Parameters<typeof Effect.fnUntraced>) => {
    const rule = Effect.fnUntraced(...definition) as (...input: ReadonlyArray<unknown>) => Effect.Effect<unknown>
    return (...input: ReadonlyArray<unknown>) =>
      Effect.withFiber((fiber) => {
        const effect = rule(...input)
        if (fiber.getRef(Tracer.Tracer) === Tracer.nativeTracer) return effect
        return Effect.withSpan(effect, name, { captureStackTrace: false })
      })
  }
  // The definition decides what the rule takes and gives, exactly as without a span.
  return spanned as typeof Effect.fnUntraced
}

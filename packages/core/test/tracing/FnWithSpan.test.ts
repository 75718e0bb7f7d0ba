import { describe, expect, it } from "@effect/vitest"
import { Effect, Exit, Tracer } from "effect"
import { fnWithSpan } from "../../src/tracing/FnWithSpan.ts"

const double = fnWithSpan("Numbers.double")(
  function* (number: number) {
    const { name } = yield* Effect.currentSpan
    return `${name}: ${2 * number}`
  },
  (effect, number) => Effect.map(effect, (text) => `${text} of ${number}`)
)

const refuse = fnWithSpan("Numbers.refuse")(function* (reason: string) {
  return yield* Effect.fail(reason)
})

/** A tracer that keeps its spans, with how they ended. */
const keeping = () => {
  const spans: Array<{ readonly name: string; readonly span: Tracer.NativeSpan }> = []
  const tracer = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      spans.push({ name: options.name, span })
      return span
    }
  })
  return { spans, tracer }
}

describe("a traced rule", () => {
  it.effect("runs within a span of its name, and takes what any other would", () =>
    Effect.gen(function* () {
      const { spans, tracer } = keeping()
      expect(yield* Effect.withTracer(double(21), tracer)).toBe("Numbers.double: 42 of 21")
      expect(spans.map(({ name }) => name)).toEqual(["Numbers.double"])
    })
  )

  it.effect("ends its span as it ends itself", () =>
    Effect.gen(function* () {
      const { spans, tracer } = keeping()
      expect(yield* Effect.flip(Effect.withTracer(refuse("no"), tracer))).toBe("no")
      const [kept] = spans
      expect(kept?.span.status._tag === "Ended" && Exit.isFailure(kept.span.status.exit)).toBe(true)
    })
  )

  it.effect("creates no span without a configured tracer", () =>
    Effect.gen(function* () {
      expect((yield* Effect.exit(double(21)))._tag).toBe("Failure")
      expect(yield* Effect.flip(refuse("no"))).toBe("no")
    })
  )
})

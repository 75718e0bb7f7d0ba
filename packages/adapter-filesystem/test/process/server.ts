/**
 * A server in a process of its own, to be killed or measured by a test. It serves the folder of
 * its argument, and sends its port, and on request its peak memory, to its parent.
 */
import { Context, Effect, Layer } from "effect"
import { Listening, served } from "../Serving.ts"

const [, , directory = ""] = process.argv

process.on("message", () => process.send?.({ peakBytes: process.resourceUsage().maxRSS * 1_024 }))
process.on("disconnect", () => process.exit())

await Effect.runPromise(
  Effect.scoped(
    Effect.gen(function* () {
      const context = yield* Layer.build(served({ directory }))
      process.send?.(Context.get(context, Listening))
      yield* Effect.never
    })
  )
)

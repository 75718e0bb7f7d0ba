/**
 * A server in a process of its own, to be killed or measured by a test: serves
 * the folder given as its argument, says its address to its parent, and the
 * most memory it has held whenever it is asked.
 */
import { Context, Effect, Layer } from "effect"
import { HttpServer } from "effect/http"
import { served } from "../Serving.ts"

const [, , directory = ""] = process.argv

process.on("message", () => process.send?.({ peakBytes: process.resourceUsage().maxRSS * 1_024 }))
process.on("disconnect", () => process.exit())

await Effect.runPromise(
  Effect.scoped(
    Effect.gen(function* () {
      const context = yield* Layer.build(served({ directory }))
      const { address } = Context.get(context, HttpServer.HttpServer)
      process.send?.({ port: "port" in address ? address.port : 0 })
      yield* Effect.never
    })
  )
)

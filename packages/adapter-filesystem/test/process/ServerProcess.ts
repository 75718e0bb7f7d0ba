/** Starts servers in separate processes, which end with the test. */
import { fork } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { layer } from "@solar-sites/adapter-filesystem"
import { DocumentStorage } from "@solar-sites/core"
import { Context, Effect, Layer, type Scope } from "effect"
import { asking, type Running } from "../Serving.ts"

const program = fileURLToPath(new URL("./server.ts", import.meta.url))

export interface ServerProcess extends Running {
  /** Sends SIGKILL and waits for the end of the process. */
  readonly kill: Effect.Effect<void>
  /** Peak memory of the process so far. */
  readonly peakBytes: Effect.Effect<number>
}

const numberIn = (message: unknown, name: string): number =>
  typeof message === "object" && message !== null ? Number(Reflect.get(message, name)) : Number.NaN

/** Starts a server of the folder; the test uses its own storage on the same folder. */
export const startProcess = (directory: string): Effect.Effect<ServerProcess, unknown, Scope.Scope> =>
  Effect.gen(function* () {
    const child = yield* Effect.acquireRelease(
      Effect.sync(() =>
        fork(program, [directory], { execArgv: ["--conditions=@solar-sites/source"], serialization: "advanced" })
      ),
      (running) => Effect.sync(() => running.kill("SIGKILL"))
    )
    const [started] = yield* Effect.promise(() => once(child, "message"))
    const publicUrl = `http://127.0.0.1:${numberIn(started, "port")}`
    const context = yield* Layer.build(layer({ directory, publicUrl }))
    return {
      ...asking(directory, Context.get(context, DocumentStorage)),
      kill: Effect.promise(async () => {
        const ended = once(child, "exit")
        child.kill("SIGKILL")
        await ended
      }),
      peakBytes: Effect.promise(async () => {
        const answer = once(child, "message")
        child.send("peak")
        const [message] = await answer
        return numberIn(message, "peakBytes")
      })
    }
  })

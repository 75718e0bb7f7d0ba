/**
 * Runs the load generator in a process of its own, so that neither blocks the other.
 */
import { fork } from "node:child_process"
import { fileURLToPath } from "node:url"
import type { Fixture } from "../services/database/fixture.ts"
import type { FromGenerator, Measurement, Task, ToGenerator } from "./protocol.ts"

export interface Load {
  readonly pid: number
  /** Runs one task at a time. */
  readonly measure: (task: Task) => Promise<Measurement>
  readonly stop: () => void
}

export const startLoad = async (fixture: Fixture): Promise<Load> => {
  const program = fileURLToPath(new URL("./generator.ts", import.meta.url))
  // JSON turns NaN into null.
  const child = fork(program, { execArgv: [], serialization: "advanced" })
  const ask = (message: ToGenerator): Promise<FromGenerator> =>
    new Promise((resolve, reject) => {
      const onExit = (code: number | null) => reject(new Error(`the load generator ended with ${code}`))
      child.once("exit", onExit)
      child.once("message", (answer: FromGenerator) => {
        child.off("exit", onExit)
        resolve(answer)
      })
      child.send(message)
    })
  await ask({ fixture })
  return {
    pid: child.pid ?? -1,
    measure: async (task) => {
      const answer = await ask({ task })
      if ("measurement" in answer) return answer.measurement
      throw new Error("failure" in answer ? answer.failure : "the load generator has nothing to say")
    },
    stop: () => child.disconnect()
  }
}

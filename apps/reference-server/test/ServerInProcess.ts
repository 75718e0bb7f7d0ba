/**
 * Servers in the process of the test, with a listener: a process each costs up to a second of
 * processor time to start, and as much until its code is compiled. Tests of signals, exit codes,
 * access logs and concurrent processes start processes, see `SolarSitesProcess.ts`. Passwords have quick hashes.
 */
import { ConfigProvider, Console, Effect, Fiber } from "effect"
import { fromEnvironment, settings } from "../src/configuration/Settings.ts"
import type { Migrations } from "../src/database/Database.ts"
import * as Logs from "../src/Logs.ts"
import { server } from "../src/server/Server.ts"
import { quickHashes } from "./Operator.ts"
import { temporaryFolder, type Variables } from "./SolarSitesProcess.ts"

export interface ServerInProcess {
  readonly address: string
  /** Standard output so far. */
  readonly printed: () => string
  /** Warnings and errors of the start, not those of requests. */
  readonly logged: () => string
  /** Shuts the server down as a signal does. */
  readonly stop: () => Promise<void>
}

/** A server on a free port, ready for requests, by default without the console. */
export const serve = async (variables: Variables, migrations: Migrations = "require"): Promise<ServerInProcess> => {
  const folder = await temporaryFolder()
  const defaults = { PORT: "0", CONSOLE: "false", DATA_DIR: folder.path, LOG_FORMAT: "json", LOG_LEVEL: "warn" }
  const listening = Promise.withResolvers<string>()
  let stdout = ""
  let stderr = ""
  const recorder: Console.Console = Object.assign(Object.create(console), {
    log: (text: string) => {
      stdout += `${text}\n`
      const [, address] = /^Solar Sites listens on (http:\S+)$/.exec(text) ?? []
      if (address !== undefined) listening.resolve(address)
    },
    error: (text: string) => (stderr += `${text}\n`)
  })
  const fiber = fromEnvironment(settings).pipe(
    Effect.flatMap((chosen) => server(chosen, migrations)),
    Effect.provide([Logs.layer, quickHashes]),
    Effect.provideService(Console.Console, recorder),
    Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnvRecord({ ...defaults, ...variables })),
    Effect.runFork
  )
  fiber.addObserver((exit) => listening.reject(new Error(`ended before listening: ${exit}`)))
  return {
    address: await listening.promise,
    printed: () => stdout,
    logged: () => stderr,
    stop: async () => {
      await Effect.runPromise(Fiber.interrupt(fiber))
      await folder[Symbol.asyncDispose]()
    }
  }
}

/**
 * Runs commands in the process of the test: a process each costs half a second of processor time.
 * Exit code and output are those of `run` in `SolarSitesProcess.ts`.
 */
import { Readable } from "node:stream"
import { ConfigProvider, Console, Effect } from "effect"
import { Command } from "effect/cli"
import { CommandLineServices, exitCode } from "../src/CommandLineRuntime.ts"
import { StandardInput } from "../src/commands/PasswordInput.ts"
import { solarSites } from "../src/commands/SolarSitesCommand.ts"
import type { Finished, Variables } from "./SolarSitesProcess.ts"

export const run = async (args: ReadonlyArray<string>, variables: Variables = {}, input = ""): Promise<Finished> => {
  const written = { stdout: "", stderr: "" }
  const recorder = Object.assign(Object.create(console), {
    log: (text: string) => (written.stdout += `${text}\n`),
    error: (text: string) => (written.stderr += `${text}\n`)
  })
  const code = await exitCode(Command.runWith(solarSites, { version: "1.2.3" })(args)).pipe(
    Effect.provide(CommandLineServices),
    Effect.provideService(StandardInput, Readable.from(input)),
    Effect.provideService(Console.Console, recorder),
    Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnvRecord(variables)),
    Effect.runPromise
  )
  return { code, signal: null, ...written }
}

/** Runs a command with `--json`; resolves with its document. */
export const runJson = async (args: ReadonlyArray<string>, variables: Variables, input?: string): Promise<unknown> => {
  const end = await run([...args, "--json"], variables, input)
  if (end.code !== 0) throw new Error(`${args.join(" ")} failed: ${JSON.stringify(end)}`)
  return JSON.parse(end.stdout)
}

/**
 * Reads the arguments of the process and runs the command they name.
 */
// First of all imports: what decodes and encodes is compiled from here on.
import "effect/schema/SchemaJITCompiler/enable"
import { readFileSync } from "node:fs"
import { Effect, Schema } from "effect"
import { Command } from "effect/cli"
import { solarSites } from "./commands/SolarSitesCommand.ts"
import { CommandLine, runAsProcess } from "./run.ts"

const { version } = Schema.decodeSync(Schema.fromJsonString(Schema.Struct({ version: Schema.String })))(
  readFileSync(new URL("../package.json", import.meta.url), "utf8")
)

runAsProcess(Command.run(solarSites, { version }).pipe(Effect.provide(CommandLine)))

/** Parses the arguments of the process and runs the command. */
// The first import: schemas that are created after it are compiled.
import "effect/schema/SchemaJITCompiler/enable"
import { readFileSync } from "node:fs"
import { Effect, Schema } from "effect"
import { Command } from "effect/cli"
import { CommandLineServices, runAsProcess } from "./CommandLineRuntime.ts"
import { solarSites } from "./commands/SolarSitesCommand.ts"

const { version } = Schema.decodeSync(Schema.fromJsonString(Schema.Struct({ version: Schema.String })))(
  readFileSync(new URL("../package.json", import.meta.url), "utf8")
)

runAsProcess(Command.run(solarSites, { version }).pipe(Effect.provide(CommandLineServices)))

#!/usr/bin/env node
// First of all imports: what decodes and encodes is compiled from here on.
import "effect/schema/SchemaJITCompiler/enable"
import { readFileSync } from "node:fs"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Layer, Schema } from "effect"
import { CliConfig, CliOutput, Command, GlobalFlag } from "effect/cli"
import { solarSites } from "./commands/SolarSitesCommand.ts"
import { presenter, runAsProcess } from "./run.ts"

const { version } = Schema.decodeSync(Schema.fromJsonString(Schema.Struct({ version: Schema.String })))(
  readFileSync(new URL("../package.json", import.meta.url), "utf8")
)

const CommandLine = Layer.mergeAll(
  NodeServices.layer,
  CliConfig.layer({ builtIns: [GlobalFlag.Help, GlobalFlag.Version] }),
  CliOutput.layerPresenter(presenter)
)

runAsProcess(Command.run(solarSites, { version }).pipe(Effect.provide(CommandLine)))

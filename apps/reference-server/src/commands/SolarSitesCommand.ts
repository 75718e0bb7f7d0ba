/** `solar-sites`: the command line. */
import { Command } from "effect/cli"
import { apiKeys } from "./ApiKeyCommands.ts"
import { coverage } from "./CoverageCommand.ts"
import { imports } from "./ImportCommand.ts"
import { migrate } from "./MigrateCommand.ts"
import { organisations } from "./OrganisationCommands.ts"
import { serve } from "./ServeCommand.ts"
import { users } from "./UserCommands.ts"

export const solarSites = Command.make("solar-sites").pipe(
  Command.withDescription(
    "Keeps the sites and portfolios of organisations. Every setting is an environment variable, such as PORT, DATA_DIR and DATABASE_URL."
  ),
  Command.withSubcommands([serve, migrate, organisations, users, apiKeys, coverage, imports])
)

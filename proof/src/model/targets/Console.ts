/**
 * The console of the reference server in this process, and its operator, on the ports of
 * adapter-postgres.
 */
import type { PgClient, PgPorts } from "@solar-sites/adapter-postgres"
import { OrganisationId, type SolarSitesServices } from "@solar-sites/core"
import type { HttpOptions } from "@solar-sites/http-node"
import { ConfigProvider, Context, Effect, Layer, Scope } from "effect"
import * as Administration from "../../../../apps/reference-server/src/Administration.ts"
import * as KeyOwners from "../../../../apps/reference-server/src/accounts/KeyOwners.ts"
import { newPassword, PasswordRefused } from "../../../../apps/reference-server/src/accounts/Password.ts"
import { Users } from "../../../../apps/reference-server/src/accounts/Users.ts"
import { fromEnvironment, settings } from "../../../../apps/reference-server/src/configuration/Settings.ts"
import { consoleOptions } from "../../../../apps/reference-server/src/console/ConsoleOptions.ts"
import type { Target } from "./Target.ts"

export type ConsolePorts = Context.Context<SolarSitesServices.SolarSitesPorts | PgClient | PgPorts>

type CreateUser = NonNullable<Target["createUser"]>

/** Ports with which keys are limited to the roles of their users. */
export const withOwners = async <Ports>(ports: Context.Context<Ports | PgClient>) => {
  const owners = await Effect.runPromise(Effect.scoped(Effect.provide(Layer.build(KeyOwners.layer), ports)))
  return Context.merge(ports, owners)
}

/** The operator, until the scope closes. */
export const operatorOf = async (ports: ConsolePorts, scope: Scope.Scope): Promise<CreateUser> => {
  const build = Layer.buildWithScope(Administration.layer, scope)
  const services = await Effect.runPromise(Effect.provide(build, ports))
  return (organisation, { password: text, ...user }) => {
    const password = newPassword(text)
    if (password instanceof PasswordRefused) throw password
    const request = { ...user, password, organisationId: OrganisationId.make(organisation) }
    return Users.use((users) => users.create(request)).pipe(
      Effect.provide(services),
      Effect.provide(ports),
      Effect.runPromise
    )
  }
}

const address = "http://solar.test"

/** HTTP options with the console, until the scope closes. Mails go to a mail server on this port. */
export const consoleOf = async (ports: ConsolePorts, scope: Scope.Scope, mailPort: number): Promise<HttpOptions> => {
  const environment = {
    ...{ CONSOLE: "true", PUBLIC_URL: address, RATE_LIMIT_PER_MINUTE: "0" },
    ...{ SMTP_URL: `smtp://127.0.0.1:${mailPort}`, MAIL_FROM: "solar@example.com" }
  }
  const chosen = await fromEnvironment(settings).pipe(
    Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnvRecord(environment)),
    Effect.runPromise
  )
  return consoleOptions(chosen, Effect.succeed(address)).pipe(
    Effect.provide(ports),
    Effect.provideService(Scope.Scope, scope),
    Effect.runPromise
  )
}

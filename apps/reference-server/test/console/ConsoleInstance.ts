/** The application of a server in process, without listening: cheaper than a server each. */
import { type OrganisationId, Organisations } from "@solar-sites/core"
import { type HostEndpoint, toWebHandler } from "@solar-sites/http-node"
import { ConfigProvider, Effect, Exit, Layer, Scope } from "effect"
import * as Administration from "../../src/Administration.ts"
import * as KeyOwners from "../../src/accounts/people/KeyOwners.ts"
import type { Role } from "../../src/accounts/people/Role.ts"
import type { User } from "../../src/accounts/people/User.ts"
import { userAdministration } from "../../src/accounts/people/Users.ts"
import { fromEnvironment, settings } from "../../src/configuration/Settings.ts"
import { consoleOptions } from "../../src/console/ConsoleOptions.ts"
import * as Coordination from "../../src/coordination/Coordination.ts"
import * as Database from "../../src/database/Database.ts"
import * as Storage from "../../src/storage/Storage.ts"
import { passwordOf, word } from "../accounts/AccountsSetup.ts"
import type { Variables } from "../SolarSitesProcess.ts"
import { type Browser, browserOf } from "./Browser.ts"

const address = "http://solar.test"

export interface ConsoleInstance {
  /** All endpoints of the console, those of the pages included. */
  readonly endpoints: ReadonlyArray<HostEndpoint>
  readonly newOrganisation: () => Promise<OrganisationId>
  readonly newUser: (organisationId: OrganisationId, role: Role) => Promise<User>
  /** A browser without a session. */
  readonly visitor: () => Browser
  readonly loggedIn: (user: User) => Promise<Browser>
  readonly close: () => Promise<void>
}

export const consoleInstance = async (variables: Variables): Promise<ConsoleInstance> => {
  const scope = Scope.makeUnsafe()
  const environment = { CONSOLE: "true", PUBLIC_URL: address, RATE_LIMIT_PER_MINUTE: "0", ...variables }
  const chosen = await fromEnvironment(settings).pipe(
    Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnvRecord(environment)),
    Effect.runPromise
  )
  const adapters = KeyOwners.layer.pipe(
    Layer.provideMerge(Database.layer(chosen, "apply")),
    Layer.merge(Layer.merge(Storage.layer(chosen, Effect.succeed(address)), Coordination.layer(chosen)))
  )
  const ports = await Effect.runPromise(Layer.buildWithScope(adapters, scope))
  const options = await consoleOptions(chosen, Effect.succeed(address)).pipe(
    Effect.provide(ports),
    Effect.provideService(Scope.Scope, scope),
    Effect.runPromise
  )
  const { dispose, handler, ready } = toWebHandler(Layer.succeedContext(ports), { ...options, rateLimitPerMinute: 0 })
  await ready
  const services = await Effect.runPromise(
    Layer.buildWithScope(Administration.layer, scope).pipe(Effect.provide(ports))
  )
  const visitor = () => browserOf(address, address, (url, init) => handler(new Request(url, init)))
  return {
    endpoints: options.endpoints ?? [],
    newOrganisation: () =>
      Organisations.use((organisations) => organisations.create({ name: "Test" })).pipe(
        Effect.map(({ id }) => id),
        Effect.provide(services),
        Effect.runPromise
      ),
    newUser: (organisationId, role) => {
      const email = `${role}.${crypto.randomUUID()}@example.com`
      const input = { organisationId, email, name: role, password: passwordOf(word), role }
      return Effect.flatMap(userAdministration, (users) => users.create(input)).pipe(
        Effect.provide(services),
        Effect.provide(ports),
        Effect.runPromise
      )
    },
    visitor,
    loggedIn: async ({ email }) => {
      const browser = visitor()
      await browser.logIn({ email, password: word })
      return browser
    },
    close: async () => {
      await dispose()
      await Effect.runPromise(Scope.close(scope, Exit.void))
    }
  }
}

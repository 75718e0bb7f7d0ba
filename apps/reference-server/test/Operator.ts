/** Administration in process, on the database of servers: faster than a command each. */
import { randomBytes } from "node:crypto"
import {
  AccessChanges,
  ApiKeyId,
  ApiKeys,
  Caller,
  CurrentCaller,
  IdGenerator,
  makeUuidV7,
  type OrganisationId,
  type OrganisationStatus,
  Organisations,
  PortfolioId,
  UserId
} from "@solar-sites/core"
import { ConfigProvider, DateTime, Effect, Layer, ManagedRuntime, Redacted } from "effect"
import * as Administration from "../src/Administration.ts"
import { makeCommands } from "../src/accounts/Commands.ts"
import { loginDomains } from "../src/accounts/identity/LoginDomains.ts"
import { newPassword, PasswordRefused } from "../src/accounts/login/Password.ts"
import { PasswordCost } from "../src/accounts/login/PasswordHasher.ts"
import { userLinks } from "../src/accounts/login/UserLinks.ts"
import type { Role } from "../src/accounts/people/Role.ts"
import { User } from "../src/accounts/people/User.ts"
import { newUser } from "../src/accounts/people/UserKind.ts"
import { userLookUps } from "../src/accounts/people/UserLookUps.ts"
import { createUser } from "../src/accounts/people/UserRules.ts"
import { userAdministration } from "../src/accounts/people/Users.ts"
import { fromEnvironment, settings } from "../src/configuration/Settings.ts"
import * as Database from "../src/database/Database.ts"
import { linkPath } from "../src/mail/Letters.ts"
import type { Variables } from "./SolarSitesProcess.ts"

export interface Key {
  readonly id: string
  readonly key: string
}

export interface Login {
  readonly id: string
  readonly email: string
  readonly password: string
}

const passwordOf = (text: string) => {
  const password = newPassword(text)
  if (password instanceof PasswordRefused) throw password
  return password
}

/** A hash of this cost takes a thousandth of the processor time of a real one, which takes longer than all else. */
export const quickHashes = Layer.succeed(PasswordCost, { memoryCost: 8, timeCost: 1, parallelism: 1 })

const database = (variables: Variables, migrations: Database.Migrations) =>
  Layer.unwrap(
    fromEnvironment(settings).pipe(
      Effect.map((chosen) => Database.layer(chosen, migrations)),
      Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnvRecord(variables))
    )
  )

/**
 * `hashes`: `quickHashes` for a server in the process of the test. To another server they would be hashes of an earlier
 * cost: it makes them anew at each login, and their users can be told from unknown ones by the time.
 */
export const operator = (
  variables: Variables,
  migrations: Database.Migrations = "require",
  hashes: Layer.Layer<never> = Layer.empty
) => {
  // The default generator only ascends: after a test with a later clock it is ahead of real time.
  const nextId = makeUuidV7()
  const ids = Layer.succeed(IdGenerator, nextId)
  const adapters = Layer.mergeAll(database(variables, migrations), AccessChanges.layerInProcess, ids, hashes)
  const runtime = ManagedRuntime.make(Layer.provideMerge(Administration.layer, adapters))
  return {
    createOrganisation: (name = "Test"): Promise<OrganisationId> =>
      runtime.runPromise(
        Effect.map(
          Organisations.use((organisations) => organisations.create({ name })),
          ({ id }) => id
        )
      ),
    createKey: (organisationId: OrganisationId, portfolios: ReadonlyArray<string> | null = null): Promise<Key> => {
      const portfolioIds = portfolios === null ? null : portfolios.map((id) => PortfolioId.make(id))
      return runtime.runPromise(
        ApiKeys.use((apiKeys) => apiKeys.create({ name: "Test", portfolioIds })).pipe(
          Effect.provideService(CurrentCaller, new Caller({ organisationId, userId: null, apiKeyId: null })),
          Effect.map(({ apiKey, secret }) => ({ id: apiKey.id, key: Redacted.value(secret) }))
        )
      )
    },
    deleteKey: (organisationId: OrganisationId, id: string) =>
      runtime.runPromise(
        ApiKeys.use((apiKeys) => apiKeys.delete(ApiKeyId.make(id))).pipe(
          Effect.provideService(CurrentCaller, new Caller({ organisationId, userId: null, apiKeyId: null }))
        )
      ),
    createUser: async (
      organisationId: OrganisationId,
      name = "Ada",
      email = `${name}.${randomBytes(6).toString("hex")}@example.com`,
      role: Role = "owner",
      password = randomBytes(12).toString("hex")
    ): Promise<Login> => {
      const input = { organisationId, email, name, role, password: passwordOf(password) }
      const { id } = await runtime.runPromise(Effect.flatMap(userAdministration, (users) => users.create(input)))
      return { id, email, password }
    },
    /** A user with the password of another: hashing takes longer than all else. */
    createUserLike: async (
      { email: original, password }: Login,
      input: Pick<User, "organisationId" | "name" | "email" | "role">
    ): Promise<Login> => {
      const insert = Effect.gen(function* () {
        const { passwordHash } = yield* Effect.fromNullishOr(
          yield* Effect.flatMap(userLookUps, ({ findByLogin }) => findByLogin(original))
        )
        const user = new User({
          ...input,
          id: UserId.make(yield* nextId),
          createdAt: yield* DateTime.now,
          portfolioIds: null
        })
        const record = newUser(user, yield* Effect.fromNullishOr(passwordHash))
        const { decide } = yield* makeCommands
        yield* decide(createUser(record))
        return user.id
      })
      return { id: await runtime.runPromise(insert), email: input.email, password }
    },
    /** Path of a link that sets a new password. */
    resetPath: (email: string): Promise<string> =>
      runtime.runPromise(
        Effect.gen(function* () {
          const { user } = yield* Effect.fromNullishOr(
            yield* Effect.flatMap(userLookUps, ({ findByLogin }) => findByLogin(email))
          )
          const issued = yield* Effect.flatMap(userLinks, ({ issue }) => issue(user, "reset", email))
          return linkPath("reset", (yield* Effect.fromNullishOr(issued)).token)
        })
      ),
    deleteUser: (id: string) =>
      runtime.runPromise(Effect.flatMap(userAdministration, (users) => users.delete(UserId.make(id)))),
    setPassword: (id: string, password: string) =>
      runtime.runPromise(
        Effect.flatMap(userAdministration, (users) => users.setPassword(UserId.make(id), passwordOf(password)))
      ),
    setLoginDomains: (organisationId: OrganisationId, ...domains: ReadonlyArray<string>) =>
      runtime.runPromise(Effect.flatMap(loginDomains, (set) => set(organisationId, domains))),
    setStatus: (organisationId: OrganisationId, status: OrganisationStatus) =>
      runtime.runPromise(Organisations.use((organisations) => organisations.update(organisationId, { status }))),
    close: () => runtime.dispose()
  }
}

/**
 * The console of the reference server in this process, and its operator, on the ports of
 * adapter-postgres.
 */
import type { PgClient, PgPorts } from "@solar-sites/adapter-postgres"
import { OrganisationId, type Records, type SolarSitesServices } from "@solar-sites/core"
import type { HttpOptions } from "@solar-sites/http-node"
import { ConfigProvider, Context, Effect, type Exit, Layer, Redacted, Scope } from "effect"
import * as Administration from "../../../../apps/reference-server/src/Administration.ts"
import { loginDomains } from "../../../../apps/reference-server/src/accounts/identity/LoginDomains.ts"
import {
  newPassword,
  type Password,
  PasswordRefused
} from "../../../../apps/reference-server/src/accounts/login/Password.ts"
import { PasswordHasher } from "../../../../apps/reference-server/src/accounts/login/PasswordHasher.ts"
import * as KeyOwners from "../../../../apps/reference-server/src/accounts/people/KeyOwners.ts"
import { userAdministration } from "../../../../apps/reference-server/src/accounts/people/Users.ts"
import { fromEnvironment, settings } from "../../../../apps/reference-server/src/configuration/Settings.ts"
import { consoleOptions } from "../../../../apps/reference-server/src/console/ConsoleOptions.ts"
import { clientId, clientSecret } from "../../../../apps/reference-server/test/accounts/identity/ForgingProvider.ts"
import type { Received } from "../../../../apps/reference-server/test/mail/MailServer.ts"
import type { ReceivedMail, Target } from "./Target.ts"

export type ConsolePorts = Context.Context<SolarSitesServices.SolarSitesPorts | PgClient | PgPorts>

type Operator = Required<Pick<Target, "createUser" | "setLoginDomains">>

/** Ports with which keys are limited to the roles of their users. */
export const withOwners = async <Ports>(ports: Context.Context<Ports | PgClient | Records>) => {
  const owners = await Effect.runPromise(Effect.scoped(Effect.provide(Layer.build(KeyOwners.layer), ports)))
  return Context.merge(ports, owners)
}

/** The operator, until the scope closes. */
export const operatorOf = async (ports: ConsolePorts, scope: Scope.Scope): Promise<Operator> => {
  const build = Layer.buildWithScope(Administration.layer, scope)
  const services = await Effect.runPromise(Effect.provide(build, ports))
  return {
    createUser: (organisation, { password: text, ...user }) => {
      const password = newPassword(text)
      if (password instanceof PasswordRefused) throw password
      const request = { ...user, password, organisationId: OrganisationId.make(organisation) }
      return Effect.flatMap(userAdministration, (users) => users.create(request)).pipe(
        Effect.provide(services),
        Effect.provide(ports),
        Effect.runPromise
      )
    },
    setLoginDomains: (organisation, names) =>
      Effect.flatMap(loginDomains, (set) => set(OrganisationId.make(organisation), names)).pipe(
        Effect.as("set" as const),
        Effect.catchTag("DomainTaken", () => Effect.succeed("taken" as const)),
        Effect.provide(ports),
        Effect.runPromise
      )
  }
}

export const address = "http://solar.test"

/** HTTP options with the console, until the scope closes, with a mail server and an OpenID provider. */
export const consoleOf = async (
  ports: ConsolePorts,
  scope: Scope.Scope,
  { issuer, mailPort }: { readonly issuer: string; readonly mailPort: number }
): Promise<HttpOptions> => {
  const environment = {
    ...{ CONSOLE: "true", PUBLIC_URL: address, RATE_LIMIT_PER_MINUTE: "0" },
    ...{ SMTP_URL: `smtp://127.0.0.1:${mailPort}`, MAIL_FROM: "solar@example.com" },
    ...{ OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret, OIDC_ROLE_CLAIM: "groups" },
    OIDC_ROLE_MAP: "solar-owner=owner,solar-admin=admin,solar-member=member"
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

type Hasher = PasswordHasher["Service"]

/** One result per key. */
const cache = <A, E>() => {
  const results = new Map<string, Promise<Exit.Exit<A, E>>>()
  return (key: ReadonlyArray<string | null>, effect: Effect.Effect<A, E>): Effect.Effect<A, E> => {
    const name = JSON.stringify(key)
    const known = results.get(name) ?? Effect.runPromiseExit(effect)
    results.set(name, known)
    return Effect.flatten(Effect.promise(() => known))
  }
}

const textOf = (password: Password | undefined): string | null =>
  password === undefined ? null : Redacted.value(password)

const withCache = (hasher: Hasher): Hasher => {
  const hashes = cache<string, never>()
  const newHashes = cache<string, PasswordRefused>()
  const matches = cache<boolean, never>()
  return {
    ...hasher,
    hash: (password) => hashes([textOf(password)], hasher.hash(password)),
    // No password of a step holds a name.
    hashNew: (password, names) => newHashes([textOf(password)], hasher.hashNew(password, names)),
    verify: (hash, password) => matches([hash ?? null, textOf(password)], hasher.verify(hash, password))
  }
}

/** Layers that are built with this context use the hasher with the cache. */
export const cachedHasher = async (scope: Scope.Scope): Promise<Context.Context<Layer.CurrentMemoMap>> => {
  const built = await Effect.runPromise(Layer.buildWithScope(PasswordHasher.layer, scope))
  const hasher = Context.make(PasswordHasher, withCache(Context.get(built, PasswordHasher)))
  const memoMap = Layer.makeMemoMapUnsafe()
  await Effect.runPromise(memoMap.getOrElseMemoize(PasswordHasher.layer, scope, () => Effect.succeed(hasher)))
  return Context.make(Layer.CurrentMemoMap, memoMap)
}

/** Only a digest can be ended with one click (RFC 8058). */
const isDigest = ({ headers }: Pick<Received, "headers">): boolean => headers.has("list-unsubscribe-post")

/**
 * Mails that a request causes. Digests are left out: their worker runs in real time, which sequences do not
 * control, and the model has no steps for them.
 */
export const mailsOfRequests = (
  received: ReadonlyArray<Pick<Received, "headers" | "text" | "to">>
): ReadonlyArray<ReceivedMail> =>
  received
    .filter((mail) => !isDigest(mail))
    .map(({ headers, text, to }) => ({ to: to.join(), subject: headers.get("subject") ?? "", text }))

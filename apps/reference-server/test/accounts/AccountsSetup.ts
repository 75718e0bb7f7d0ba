/**
 * Users and sessions in process: own database, adjustable clock, and a fast hasher
 * that records its calls.
 */
import { randomBytes } from "node:crypto"
import { PgClient } from "@solar-sites/adapter-postgres"
import { AccessChanges, type OrganisationId, OrganisationRemoval, Organisations, RateLimiter } from "@solar-sites/core"
import { Clock, ConfigProvider, Context, Duration, Effect, Layer, ManagedRuntime, Redacted } from "effect"
import { type Command, makeCommands } from "../../src/accounts/Commands.ts"
import { LoginLimits } from "../../src/accounts/login/LoginLimits.ts"
import { newPassword, type Password, PasswordRefused } from "../../src/accounts/login/Password.ts"
import { PasswordHasher } from "../../src/accounts/login/PasswordHasher.ts"
import type { Role } from "../../src/accounts/people/Role.ts"
import type { User } from "../../src/accounts/people/User.ts"
import { userAdministration } from "../../src/accounts/people/Users.ts"
import { SecondFactors } from "../../src/accounts/second-factor/SecondFactors.ts"
import { deleteEndedSessions } from "../../src/accounts/sessions/SessionStatements.ts"
import { makeSessions, type Session } from "../../src/accounts/sessions/Sessions.ts"
import type { SessionToken } from "../../src/accounts/sessions/SessionToken.ts"
import { fromEnvironment, settings } from "../../src/configuration/Settings.ts"
import { RequestLanguage } from "../../src/console/Language.ts"
import * as Database from "../../src/database/Database.ts"
import type { Variables } from "../SolarSitesProcess.ts"

export const word = "correct horse battery"

export const passwordOf = (text: string): Password => {
  const password = newPassword(text)
  if (password instanceof PasswordRefused) throw password
  return password
}

/** The sessions of the users of a setup. */
export class Sessions extends Context.Service<Sessions, Effect.Success<typeof makeSessions>>()("test/Sessions") {
  static readonly layer = Layer.effect(Sessions, makeSessions)
}

/** Decides a command, in a queue of its own. */
export const decide = <A, Refusal>(command: Command<A, Refusal>) =>
  Effect.flatMap(makeCommands, (commands) => commands.decide(command))

/** Records verifications. A hash contains its password and is outdated if it begins with `old`. */
const quickHasher = () => {
  const verified: Array<string | undefined> = []
  let made = "new"
  const hash = (password: Password) => Effect.sync(() => `${made}:${Redacted.value(password)}`)
  const service = PasswordHasher.of({
    withPermit: (effect) => effect,
    hash,
    hashNew: hash,
    verify: (hash, password) =>
      Effect.sync(() => {
        verified.push(hash)
        return password !== undefined && hash?.split(":")[1] === Redacted.value(password)
      }),
    isOutdated: (hash) => hash.startsWith("old")
  })
  return {
    layer: Layer.succeed(PasswordHasher, service),
    verified,
    makes: (kind: "old" | "new") => {
      made = kind
    }
  }
}

/** A frozen clock moves by `advance` only. */
const clockAhead = (isFrozen: boolean) => {
  let ahead = 0
  const start = Date.now()
  const now = () => (isFrozen ? start : Date.now()) + ahead
  const live = Effect.runSync(Clock.clockWith(Effect.succeed))
  const nanos = () => BigInt(now()) * 1_000_000n
  const clock: Clock.Clock = {
    currentTimeMillisUnsafe: now,
    currentTimeMillis: Effect.sync(now),
    currentTimeNanosUnsafe: () => live.currentTimeNanosUnsafe(),
    currentTimeNanos: live.currentTimeNanos,
    monotonicTimeNanosUnsafe: nanos,
    monotonicTimeNanos: Effect.sync(nanos),
    sleep: (duration) => live.sleep(duration)
  }
  return {
    clock,
    advance: (duration: Duration.Input) => {
      ahead += Duration.toMillis(Duration.fromInputUnsafe(duration))
    }
  }
}

const database = (variables: Variables) =>
  Layer.unwrap(
    fromEnvironment(settings).pipe(
      Effect.map((chosen) => Database.layer(chosen, "apply")),
      Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnvRecord(variables))
    )
  )

const accounts = (isLimited: boolean) =>
  Layer.provideMerge(Sessions.layer, SecondFactors.layer).pipe(
    Layer.provideMerge(isLimited ? LoginLimits.layer : LoginLimits.layerUnlimited)
  )

export interface Person {
  readonly user: User
  readonly organisationId: OrganisationId
}

export const accountsSetup = (variables: Variables, { isFrozen = false, isLimited = false } = {}) => {
  const hasher = quickHasher()
  const time = clockAhead(isFrozen)
  const layer = Layer.merge(
    accounts(isLimited),
    Organisations.layer.pipe(Layer.provide(OrganisationRemoval.layer))
  ).pipe(
    Layer.provideMerge(
      Layer.mergeAll(database(variables), AccessChanges.layerInProcess, RateLimiter.layerInProcess, hasher.layer)
    )
  )
  const runtime = ManagedRuntime.make(layer)
  const run = <A, E>(effect: Effect.Effect<A, E, Layer.Success<typeof layer>>): Promise<A> =>
    runtime.runPromise(Effect.provideService(effect, Clock.Clock, time.clock))

  const newOrganisation = () => run(Organisations.use((organisations) => organisations.create({ name: "Test" })))

  /** Creates a user, by default in a new organisation. */
  const join = async (organisationId?: OrganisationId, password = word, role: Role = "owner"): Promise<Person> => {
    const of = organisationId ?? (await newOrganisation()).id
    const email = `ada.${randomBytes(6).toString("hex")}@example.com`
    const create = { organisationId: of, email, name: "Ada", password: passwordOf(password), role }
    return { organisationId: of, user: await run(Effect.flatMap(userAdministration, (users) => users.create(create))) }
  }

  const attempt = (email: string, password = word, more: { clientAddress?: string; replaces?: SessionToken } = {}) =>
    Sessions.use((sessions) =>
      sessions.logIn({ email, password, clientAddress: more.clientAddress, replaces: more.replaces })
    )

  return {
    hasher,
    advance: time.advance,
    /** In milliseconds. */
    now: time.clock.currentTimeMillisUnsafe,
    run,
    newOrganisation,
    join,
    /** Resolves with the token of a new session. */
    logIn: async (email: string, password?: string, replaces?: SessionToken): Promise<SessionToken> =>
      (await run(attempt(email, password, replaces === undefined ? {} : { replaces }))).token,
    logInSpeaking: (language: string, email: string) =>
      run(Effect.provideService(attempt(email), RequestLanguage, language)),
    /** Resolves with the tag of the refusal. */
    refusal: (email: string, password?: string, clientAddress?: string): Promise<string> =>
      run(
        Effect.map(
          Effect.flip(attempt(email, password, clientAddress === undefined ? {} : { clientAddress })),
          ({ _tag }) => _tag
        )
      ),
    find: async (token: SessionToken): Promise<Session | undefined> =>
      (await run(Sessions.use((sessions) => sessions.find(token)))) ?? undefined,
    /** Deletes sessions that have ended at an instant in milliseconds. */
    deleteEnded: (now = time.clock.currentTimeMillisUnsafe()) =>
      run(PgClient.use((client) => deleteEndedSessions(client)(now))),
    close: () => runtime.dispose()
  }
}

export type AccountsSetup = ReturnType<typeof accountsSetup>

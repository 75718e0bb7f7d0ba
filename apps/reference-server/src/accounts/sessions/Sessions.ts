/** Sessions of users. A session ends after 12 hours, or after 2 hours without use. */
import { Caller, IdGenerator, type RepositoryError } from "@solar-sites/core"
import { Clock, Context, DateTime, Duration, Effect, Layer, Metric, Option, Schedule } from "effect"
import { sessionHours } from "../AccountPolicy.ts"
import type { LoginLimited } from "../login/LoginLimits.ts"
import { LoginFailed, type PasswordAttempt, PasswordCheck } from "../login/PasswordCheck.ts"
import type { HasherOverloaded } from "../login/PasswordHasher.ts"
import { scopesOf } from "../people/Role.ts"
import type { Authenticated } from "../people/UserLookUps.ts"
import { type SecondFactorRequired, SecondFactors, type SecondFactorWrong } from "../second-factor/SecondFactors.ts"
import type { LoginMethod } from "./SessionKind.ts"
import type { StoredSession } from "./SessionRules.ts"
import { type SessionEnd, SessionStore } from "./SessionStore.ts"
import * as SessionToken from "./SessionToken.ts"

const life = Duration.toMillis(Duration.hours(sessionHours.life))
const idleLife = Duration.toMillis(Duration.hours(sessionHours.idle))
const removalInterval = Duration.minutes(10)
const maximumUserAgent = 300

const logins = Metric.counter("solar_sites_console_logins", {
  description: "Logins to the console, by outcome",
  incremental: true
})

/** Counts a login. Opened sessions are counted here. */
export const counted = (outcome: "accepted" | "failed" | "limited") =>
  Metric.update(Metric.withAttributes(logins, { outcome }), 1)

/**
 * `expiresAt` is the latest end. The caller has the scopes that the role of the user had at the
 * look-up.
 */
export interface Session extends Pick<StoredSession, "id" | "user" | "organisation" | "mustSetUpSecondFactor"> {
  readonly caller: Caller
  readonly expiresAt: DateTime.Utc
}

/** The browser of a login. `replaces` is the session that it had before. */
interface LoginBrowser {
  readonly replaces: SessionToken.SessionToken | undefined
  readonly userAgent?: string | undefined
}

/** `code` is one of the second factor, or a recovery code. */
export interface Login extends PasswordAttempt, LoginBrowser {
  readonly code?: string | undefined
}

/** Refusals of a login by password. */
export type LoginRefusal = LoginFailed | LoginLimited | SecondFactorRequired | SecondFactorWrong | HasherOverloaded

export interface OpenSession extends LoginBrowser {
  readonly method: LoginMethod
}

export interface OpenedSession {
  readonly session: Session
  readonly token: SessionToken.SessionToken
}

export class Sessions extends Context.Service<
  Sessions,
  {
    /** Fails while no login from the address is allowed. */
    readonly checkAddress: (clientAddress: string | undefined) => Effect.Effect<void, LoginLimited>

    /** Creates a session with a new token and deletes the replaced one. */
    readonly logIn: (login: Login) => Effect.Effect<OpenedSession, LoginRefusal | RepositoryError>

    /**
     * Creates a session of an authenticated user with a new token and deletes the replaced one.
     * Fails if the user is deleted, its password has changed since, or the organisation is
     * inactive.
     */
    readonly open: (
      authenticated: Authenticated,
      options: OpenSession
    ) => Effect.Effect<OpenedSession, LoginFailed | RepositoryError>

    /**
     * None if it has ended, its user is deleted, the password has changed or the organisation is
     * inactive.
     */
    readonly find: (token: SessionToken.SessionToken) => Effect.Effect<Option.Option<Session>, RepositoryError>

    /** Why a session has ended; none of a live or unknown one. */
    readonly findEnd: (token: SessionToken.SessionToken) => Effect.Effect<Option.Option<SessionEnd>, RepositoryError>

    /** False if there is none. */
    readonly end: (token: SessionToken.SessionToken) => Effect.Effect<boolean, RepositoryError>
  }
>()("@solar-sites/reference-server/Sessions") {
  /** Deletes ended sessions in the background every 10 minutes. */
  static readonly layer: Layer.Layer<Sessions, never, PasswordCheck | SecondFactors | SessionStore> = Layer.effect(
    Sessions,
    Effect.gen(function* () {
      const passwords = yield* PasswordCheck
      const factors = yield* SecondFactors
      const store = yield* SessionStore
      const nextId = yield* IdGenerator

      const callerOf = ({ organisation, user }: StoredSession): Caller => {
        const scopes = scopesOf(user.role)
        const caller = { organisationId: organisation.id, userId: user.id, apiKeyId: null }
        return new Caller(scopes === "all" ? caller : { ...caller, scopes })
      }

      const toSession = (stored: StoredSession): Session => ({
        id: stored.id,
        user: stored.user,
        organisation: stored.organisation,
        mustSetUpSecondFactor: stored.mustSetUpSecondFactor,
        caller: callerOf(stored),
        expiresAt: DateTime.makeUnsafe(stored.expiresAt)
      })

      const open = Effect.fn("Sessions.open")(function* (
        authenticated: Authenticated,
        { method, replaces, userAgent }: OpenSession
      ) {
        const token = yield* SessionToken.generate
        const now = yield* Clock.currentTimeMillis
        const stored = yield* store.insert(authenticated, {
          id: yield* nextId,
          digest: SessionToken.digest(token),
          replaces: replaces === undefined ? null : SessionToken.digest(replaces),
          method,
          userAgent: userAgent?.slice(0, maximumUserAgent) ?? null,
          now,
          expiresAt: now + life,
          endsAt: now + idleLife
        })
        if (Option.isNone(stored)) return yield* new LoginFailed()
        yield* counted("accepted")
        return { session: toSession(stored.value), token }
      })

      const logIn = Effect.fn("Sessions.logIn")(
        function* (login: Login) {
          const found = yield* passwords.verify(login)
          yield* factors.require(found.user, login)
          return yield* open(found, { ...login, method: "password" })
        },
        Effect.tapError((refusal) => {
          if (refusal._tag === "RepositoryError" || refusal._tag === "SecondFactorRequired") return Effect.void
          return counted(refusal._tag === "LoginFailed" || refusal._tag === "SecondFactorWrong" ? "failed" : "limited")
        })
      )

      const find = Effect.fn("Sessions.find")(function* (token: SessionToken.SessionToken) {
        const now = yield* Clock.currentTimeMillis
        const found = yield* store.find(SessionToken.digest(token), { now, endsAt: now + idleLife })
        return Option.map(found, toSession)
      })

      yield* Effect.flatMap(Clock.currentTimeMillis, store.deleteEnded).pipe(
        Effect.catchCause((cause) => Effect.logWarning("deletion of ended sessions failed", cause)),
        Effect.repeat(Schedule.spaced(removalInterval)),
        Effect.forkScoped
      )

      const findEnd = (token: SessionToken.SessionToken) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => store.findEnd(SessionToken.digest(token), now))

      return Sessions.of({
        checkAddress: (clientAddress) =>
          Effect.tapError(passwords.checkAddress(clientAddress), () => counted("limited")),
        logIn,
        open,
        find,
        findEnd,
        end: (token) => store.delete(SessionToken.digest(token))
      })
    })
  )
}

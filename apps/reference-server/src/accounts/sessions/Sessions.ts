/**
 * Sessions of users. A session ends after 12 hours, or after 2 hours without use. None is cached: one that has ended is
 * invalid on every server from the next request on.
 */
import { PgClient } from "@solar-sites/adapter-postgres"
import { Caller, IdGenerator } from "@solar-sites/core"
import { Clock, DateTime, Duration, Effect, Metric } from "effect"
import { inBackground } from "../../background.ts"
import { RequestLanguage } from "../../console/Language.ts"
import { sessionHours } from "../AccountPolicy.ts"
import { asUser, makeCommands } from "../Commands.ts"
import { LoginFailed, type PasswordAttempt, passwordCheck } from "../login/PasswordCheck.ts"
import { scopesOf } from "../people/Role.ts"
import type { Authenticated } from "../people/UserLookUps.ts"
import { SecondFactors } from "../second-factor/SecondFactors.ts"
import type { LoginMethod } from "./SessionKind.ts"
import { endSession, openSession, type StoredSession } from "./SessionRules.ts"
import { deleteEndedSessions, sessionStatements } from "./SessionStatements.ts"
import * as SessionToken from "./SessionToken.ts"

const life = Duration.hours(sessionHours.life)
const idleLife = Duration.hours(sessionHours.idle)
const maximumUserAgent = 300

const logins = Metric.counter("solar_sites_console_logins", {
  description: "Logins to the console, by outcome",
  incremental: true
})

/** Counts a login. Opened sessions are counted here. */
export const counted = (outcome: "accepted" | "failed" | "limited") =>
  Metric.update(Metric.withAttributes(logins, { outcome }), 1)

/** The caller has the limit of the user and the scopes of its role, as they were at the look-up. */
export interface Session extends StoredSession {
  readonly caller: Caller
}

/** The browser of a login. `replaces` is the session that it had before. */
export interface LoginBrowser {
  readonly replaces: SessionToken.SessionToken | undefined
  readonly userAgent?: string | undefined
}

/** `code` is one of the second factor, or a recovery code. */
export interface Login extends PasswordAttempt, LoginBrowser {
  readonly code?: string | undefined
}

/** Is made once: it deletes ended sessions in the background every 10 minutes. Sessions end by the digest of their token. */
export const makeSessions = Effect.gen(function* () {
  const verifyPassword = yield* passwordCheck
  const factors = yield* SecondFactors
  const client = yield* PgClient
  const sql = sessionStatements(client)
  const { decide, presentLimits } = yield* makeCommands
  const nextId = yield* IdGenerator

  const toSession = (stored: StoredSession): Session => {
    const { organisationId, id: userId, portfolioIds, role } = stored.user
    const scopes = scopesOf(role)
    const limits = { ...(scopes === "all" ? {} : { scopes }), ...(portfolioIds === null ? {} : { portfolioIds }) }
    return { ...stored, caller: new Caller({ organisationId, userId, apiKeyId: null, ...limits }) }
  }

  /** Null if there is none. */
  const end = Effect.fn("Sessions.end")(function* (digest: string) {
    const organisationId = yield* sql.findOwner({ digest })
    return organisationId === null ? null : yield* decide(endSession(organisationId, digest))
  })

  /** Creates a session of an authenticated user, with a new token. Fails if `openSession` opens none. */
  const open = Effect.fn("Sessions.open")(function* (
    { passwordVersion, user: { id: userId, organisationId } }: Authenticated,
    { method, replaces, userAgent }: LoginBrowser & { readonly method: LoginMethod }
  ) {
    const token = yield* SessionToken.generate
    const createdAt = yield* DateTime.now
    const session = {
      id: yield* nextId,
      digest: SessionToken.digest(token),
      userAgent: userAgent?.slice(0, maximumUserAgent) ?? null,
      expiresAt: DateTime.addDuration(createdAt, life),
      endsAt: DateTime.addDuration(createdAt, idleLife),
      ...{ organisationId, userId, passwordVersion, method, createdAt }
    }
    const replaced = replaces === undefined ? null : SessionToken.digest(replaces)
    const stored = yield* asUser({ organisationId, id: userId })(decide(openSession(session, replaced)))
    if (stored === null) return yield* new LoginFailed()
    // A session of another organisation, which the rule does not see, ends in a commit of its own.
    if (replaced !== null) yield* end(replaced)
    // A login does not fail for it.
    yield* Effect.flatMap(RequestLanguage, (language) => sql.useLanguage({ organisationId, userId, language })).pipe(
      Effect.catchCause((cause) => Effect.logWarning("language of a user not stored", cause))
    )
    yield* counted("accepted")
    return { session: toSession(stored), token }
  })

  /** The same after a check of password and code. */
  const logIn = Effect.fn("Sessions.logIn")(
    function* (login: Login) {
      const found = yield* verifyPassword(login)
      yield* factors.require(found.user, login)
      return yield* open(found, { ...login, method: "password" })
    },
    Effect.tapError((refusal) => {
      if (refusal._tag === "RepositoryError" || refusal._tag === "SecondFactorRequired") return Effect.void
      return counted(refusal._tag === "LoginFailed" || refusal._tag === "SecondFactorWrong" ? "failed" : "limited")
    })
  )

  /** Null if it has ended, its user is deleted, the password has changed or the organisation is inactive. */
  const find = Effect.fn("Sessions.find")(function* (token: SessionToken.SessionToken) {
    const now = yield* Clock.currentTimeMillis
    const endsAt = now + Duration.toMillis(idleLife)
    const found = yield* sql.find({ digest: SessionToken.digest(token), now, endsAt })
    if (found === null) return null
    const { isUsed, session } = found
    if (isUsed) yield* sql.use({ organisationId: session.organisation.id, sessionId: session.id, now, endsAt })
    const [portfolioIds = []] = yield* presentLimits(session.organisation.id, [session.user.portfolioIds])
    return toSession({ ...session, user: { ...session.user, portfolioIds } })
  })

  yield* Effect.flatMap(Clock.currentTimeMillis, deleteEndedSessions(client)).pipe(
    inBackground("10 minutes", "deletion of ended sessions failed")
  )

  /** Why a session has ended; null of a live or unknown one, and after seven days. */
  const findEnd = (digest: string) => Effect.flatMap(Clock.currentTimeMillis, (now) => sql.findEnd({ digest, now }))

  return { logIn, open, find, findEnd, end }
})

export type Sessions = Effect.Success<typeof makeSessions>

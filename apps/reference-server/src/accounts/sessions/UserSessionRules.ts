/** Rules of the sessions of a user as pure functions: records and a command in, a change or a refusal out. */
import type { EventOrigin, Found, OrganisationId, UserId } from "@solar-sites/core"
import { DateTime, Result } from "effect"
import { changing, ids, type Rule, removing, unchanged } from "../Commands.ts"
import { type Authority, isSeenBy } from "../people/Authority.ts"
import { insufficientFor, mayManage, type RoleInsufficient } from "../people/Role.ts"
import { UserNotFound } from "../people/User.ts"
import { userEvent, userKind } from "../people/UserKind.ts"
import type { Authenticated } from "../people/UserLookUps.ts"
import { passwordChange } from "../people/UserRules.ts"
import { withNextVersion } from "./PasswordSessions.ts"
import { type LoginMethod, type SessionRecord, sessionKind } from "./SessionKind.ts"

/** Instants in milliseconds. `lastUsedAt` is exact to a minute; no use extends `expiresAt`. */
export interface ListedSession {
  readonly id: string
  readonly createdAt: number
  readonly lastUsedAt: number
  readonly expiresAt: number
  readonly method: LoginMethod
  readonly userAgent: string | null
}

export interface OwnSession {
  readonly organisationId: OrganisationId
  readonly userId: UserId
  readonly sessionId: string
}

/** The live sessions of a user, newest first. */
export const liveSessions = (found: Found, userId: UserId, at: DateTime.Utc): ReadonlyArray<ListedSession> => {
  const version = found.byId(userKind, userId)?.record.passwordVersion
  return found
    .all(sessionKind, "userId", userId)
    .map(({ record }) => record)
    .filter(({ endsAt, passwordVersion }) => passwordVersion === version && DateTime.isGreaterThan(endsAt, at))
    .map(({ createdAt, expiresAt, id, method, usedAt, userAgent }) => ({
      id,
      createdAt: createdAt.epochMilliseconds,
      lastUsedAt: (usedAt ?? createdAt).epochMilliseconds,
      expiresAt: expiresAt.epochMilliseconds,
      method,
      userAgent
    }))
    .sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1))
}

/** Ends the chosen sessions of a user. False when there is none of them. */
export const endSessions =
  (userId: UserId, isChosen: (session: SessionRecord) => boolean) =>
  (origin: EventOrigin): Rule<boolean> =>
  (found) => {
    const all = found.all(sessionKind, "userId", userId)
    const ended = all.filter(({ record }) => isChosen(record))
    if (ended.length === 0) return unchanged(false)
    const writes = ended.map((session) => removing(sessionKind, session))
    return changing(true, origin, writes, [], { mayChange: [userId, ...ids(all)] })
  }

/** Ends all sessions of a user. `by` has to manage this user. */
export const endManagedSessions =
  (userId: UserId, by: Authority) =>
  (origin: EventOrigin): Rule<void, RoleInsufficient | UserNotFound> =>
  (found) => {
    const user = found.byId(userKind, userId)?.record
    if (user === undefined || !isSeenBy(by, user)) return Result.fail(new UserNotFound({ userId }))
    if (!mayManage(by.role, user.role)) return Result.fail(insufficientFor(by.role))
    const sessions = found.all(sessionKind, "userId", userId)
    return changing(
      undefined,
      origin,
      sessions.map((session) => removing(sessionKind, session))
    )
  }

/**
 * Sets the password and keeps the own session alone. False when the password has changed since it was verified: one of
 * several concurrent changes wins.
 */
export const changePassword =
  (
    { sessionId, userId }: OwnSession,
    { passwordVersion }: Pick<Authenticated, "passwordVersion">,
    passwordHash: string
  ) =>
  (origin: EventOrigin): Rule<boolean> =>
  (found) => {
    const user = found.byId(userKind, userId)
    if (user?.record.passwordVersion !== passwordVersion) return unchanged(false)
    const sessions = found.all(sessionKind, "userId", userId)
    const { after, writes } = withNextVersion(user, sessions, { passwordHash }, ({ id }) => id === sessionId)
    return changing(true, origin, writes, [userEvent("user.updated", after, after, passwordChange)])
  }

/** Commands on sessions, with their rules as pure functions. */
import {
  type Find,
  type Found,
  makeUnchecked,
  type Organisation,
  type OrganisationId,
  organisationKind,
  type UserId,
  type Write
} from "@solar-sites/core"
import { DateTime, Result } from "effect"
import { activeOrganisation, type Command, changing, find, ids, on, removing, storing, unchanged } from "../Commands.ts"
import { settingsKind } from "../organisation/OrganisationSettings.ts"
import { type Manager, managed } from "../people/Authority.ts"
import type { RoleInsufficient } from "../people/Role.ts"
import type { User, UserIds, UserNotFound } from "../people/User.ts"
import {
  changedUser,
  passwordChange,
  type StoredUser,
  type UserRecord,
  userEvent,
  userKind
} from "../people/UserKind.ts"
import { factorKind } from "../second-factor/FactorKind.ts"
import { SessionRecord, sessionKind } from "./SessionKind.ts"

/** The user and its sessions. */
export const findsOfPassword = (userId: UserId): ReadonlyArray<Find> => [
  find(userKind, "id", userId),
  find(sessionKind, "userId", userId)
]

/**
 * The user with the next version of the password and changed members. All sessions end but those for which `isKept` is
 * true, which get the new version. A login that was verified with the old version opens none.
 */
export const withNextVersion = (
  found: Found,
  user: StoredUser,
  members: Partial<UserRecord>,
  isKept: (session: SessionRecord) => boolean = () => false
): { readonly after: UserRecord; readonly writes: ReadonlyArray<Write> } => {
  const passwordVersion = user.record.passwordVersion + 1
  const after = changedUser(user.record, { ...members, passwordVersion })
  const sessions = found.all(sessionKind, "userId", after.id).map((session) => {
    if (!isKept(session.record)) return removing(sessionKind, session)
    return storing(sessionKind, session, makeUnchecked(SessionRecord, { ...session.record, passwordVersion }))
  })
  return { after, writes: [storing(userKind, user, after), ...sessions] }
}

/**
 * A live session. Role and limit are the current ones. `expiresAt` (milliseconds) is the end that no use
 * extends.
 */
export interface StoredSession {
  /** Names the session in lists; not the token. */
  readonly id: string
  readonly user: Pick<User, "id" | "organisationId" | "email" | "name" | "role" | "portfolioIds">
  readonly organisation: Pick<Organisation, "id" | "name" | "status">
  /**
   * True if the organisation demands a second factor and the user has none. Never of a session by
   * OpenID Connect: there the provider is responsible.
   */
  readonly mustSetUpSecondFactor: boolean
  readonly expiresAt: number
}

/** A user has at most so many sessions; a further one ends the session that would end first. */
const maximumSessions = 100

const ownSessions = (found: Found, userId: UserId) => found.all(sessionKind, "userId", userId)

const latestFirst = (sessions: ReturnType<typeof ownSessions>) =>
  sessions.toSorted(
    ({ record: a }, { record: b }) =>
      b.endsAt.epochMilliseconds - a.endsAt.epochMilliseconds || (a.digest < b.digest ? -1 : 1)
  )

/**
 * Stores a session in place of one of any user, by its digest. Null when the organisation is inactive, the user is
 * deleted, or its password or second factor has changed since. A deactivation waits for the commit, and then ends the
 * session.
 */
export const openSession = (
  session: Omit<SessionRecord, "usedAt">,
  replaces: string | null
): Command<StoredSession | null> => {
  const { organisationId, userId } = session
  return {
    ...on(userKind, userId, "Sessions.open", organisationId),
    finds: [
      find(organisationKind, "id", organisationId),
      ...findsOfPassword(userId),
      find(settingsKind, "id", organisationId),
      find(factorKind, "id", userId),
      ...(replaces === null ? [] : [find(sessionKind, "digest", replaces)])
    ],
    rule: (found) => {
      const organisation = activeOrganisation(found, organisationId)
      const user = found.byId(userKind, userId)?.record
      if (organisation === null || user?.passwordVersion !== session.passwordVersion) return unchanged(null)
      const isDemanded = found.byId(settingsKind, organisationId)?.record.requireSecondFactor === true
      const hasFactor = (found.byId(factorKind, userId)?.record.enabledAt ?? null) !== null
      const own = ownSessions(found, userId)
      const replaced = found.by(sessionKind, "digest", replaces)
      const ended = [...latestFirst(own).slice(maximumSessions - 1), ...(replaced === null ? [] : [replaced])]
      const { email, id, name, portfolioIds, role } = user
      return changing<StoredSession>(
        {
          id: session.id,
          user: { id, organisationId, email, name, role, portfolioIds },
          organisation: { id: organisationId, name: organisation.name, status: organisation.status },
          mustSetUpSecondFactor: session.method !== "oidc" && isDemanded && !hasFactor,
          expiresAt: session.expiresAt.epochMilliseconds
        },
        [
          ...new Map(ended.map((one) => [one.record.id, removing(sessionKind, one)])).values(),
          storing(sessionKind, null, makeUnchecked(SessionRecord, { ...session, usedAt: null }))
        ],
        [userEvent("user.logged_in", user, user, { method: { from: null, to: session.method } })],
        ids(own)
      )
    }
  }
}

/** Null if there is none. */
export const endSession = (organisationId: OrganisationId, digest: string): Command<true | null> => ({
  ...on(sessionKind, digest, "Sessions.end", organisationId),
  finds: [find(sessionKind, "digest", digest)],
  rule: (found) => {
    const session = found.by(sessionKind, "digest", digest)
    return session === null ? unchanged(null) : changing(true, [removing(sessionKind, session)])
  }
})

/** The live sessions of a user, newest first. */
export const liveSessions = (found: Found, userId: UserId, at: DateTime.Utc): ReadonlyArray<SessionRecord> => {
  const version = found.byId(userKind, userId)?.record.passwordVersion
  return ownSessions(found, userId)
    .map(({ record }) => record)
    .filter(({ endsAt, passwordVersion }) => passwordVersion === version && DateTime.isGreaterThan(endsAt, at))
    .sort((a, b) => b.createdAt.epochMilliseconds - a.createdAt.epochMilliseconds || (a.id < b.id ? -1 : 1))
}

/** Ends the chosen sessions of a user. False when there is none of them. */
export const endSessions = (
  { id: userId, organisationId }: UserIds,
  isChosen: (session: SessionRecord) => boolean
): Command<boolean> => ({
  ...on(userKind, userId, "UserSessions.end", organisationId),
  finds: findsOfPassword(userId),
  rule: (found) => {
    const all = ownSessions(found, userId)
    const ended = all.filter(({ record }) => isChosen(record))
    if (ended.length === 0) return unchanged(false)
    const writes = ended.map((session) => removing(sessionKind, session))
    return changing(true, writes, [], [userId, ...ids(all)])
  }
})

/** Ends all sessions of a user. `by` has to manage this user. */
export const endManagedSessions = (userId: UserId, by: Manager): Command<void, RoleInsufficient | UserNotFound> => ({
  ...on(userKind, userId, "UserSessions.endManaged", by.organisationId),
  finds: findsOfPassword(userId),
  rule: (found) =>
    Result.flatMap(managed(found, userId, by), () =>
      changing(
        undefined,
        ownSessions(found, userId).map((session) => removing(sessionKind, session))
      )
    )
})

/**
 * Sets the password and keeps the own session alone. False when the password has changed since it was verified: one of
 * several concurrent changes wins.
 */
export const changePassword = (
  { id: sessionId, user: { id: userId, organisationId } }: { readonly id: string; readonly user: UserIds },
  { passwordVersion }: { readonly passwordVersion: number },
  passwordHash: string
): Command<boolean> => ({
  ...on(userKind, userId, "UserSessions.changePassword", organisationId),
  finds: findsOfPassword(userId),
  rule: (found) => {
    const user = found.byId(userKind, userId)
    if (user?.record.passwordVersion !== passwordVersion) return unchanged(false)
    const { after, writes } = withNextVersion(found, user, { passwordHash }, ({ id }) => id === sessionId)
    return changing(true, writes, [userEvent("user.updated", after, after, passwordChange)])
  }
})

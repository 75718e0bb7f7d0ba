/** Rules of sessions as pure functions: records and a command in, a change or a refusal out. */
import {
  type EventOrigin,
  type Find,
  makeUnchecked,
  type OrganisationId,
  type OrganisationStatus,
  type PortfolioLimit,
  type UserId
} from "@solar-sites/core"
import {
  activeOrganisation,
  changing,
  findsOrganisation,
  ids,
  inserting,
  type Rule,
  removing,
  unchanged
} from "../Commands.ts"
import { findsSettings, settingsKind } from "../organisation/SettingsKind.ts"
import type { Role } from "../people/Role.ts"
import { findsUsers, userEvent, userKind } from "../people/UserKind.ts"
import { factorKind, findsFactorOf } from "../second-factor/FactorKind.ts"
import { findsSessionsOf, SessionRecord, sessionKind } from "./SessionKind.ts"

/**
 * A live session. Role and limit are the current ones. `expiresAt` (milliseconds) is the end that no use
 * extends.
 */
export interface StoredSession {
  /** Names the session in lists; not the token. */
  readonly id: string
  readonly user: {
    readonly id: UserId
    readonly email: string
    readonly name: string
    readonly role: Role
    readonly portfolioIds: PortfolioLimit
  }
  readonly organisation: { readonly id: OrganisationId; readonly name: string; readonly status: OrganisationStatus }
  /**
   * True if the organisation demands a second factor and the user has none. Never of a session by
   * OpenID Connect: there the provider is responsible.
   */
  readonly mustSetUpSecondFactor: boolean
  readonly expiresAt: number
}

/** A user has at most so many sessions; a further one ends the session that would end first. */
const maximumSessions = 100

/** A session to open, and the digest of the session that it replaces, of any user. */
export interface SessionOpening {
  readonly session: Omit<SessionRecord, "usedAt">
  readonly replaces: string | null
}

const bySessionDigest = (digest: string): Find => ({ kind: sessionKind, by: "digest", values: [digest] })

/** The records that `openSession` reads. */
export const findsOfOpening = ({
  replaces,
  session: { organisationId, userId }
}: SessionOpening): ReadonlyArray<Find> => [
  findsOrganisation(organisationId),
  findsUsers(userId),
  findsSessionsOf(userId),
  findsSettings(organisationId),
  findsFactorOf(userId),
  ...(replaces === null ? [] : [bySessionDigest(replaces)])
]

/**
 * Stores a session. Null when the organisation is inactive, the user is deleted, or its password or second factor has
 * changed since. A deactivation waits for the commit, and then ends the session.
 */
export const openSession =
  ({ replaces, session }: SessionOpening) =>
  (origin: EventOrigin): Rule<StoredSession | null> =>
  (found) => {
    const { organisationId, userId } = session
    const organisation = activeOrganisation(found, organisationId)
    const user = found.byId(userKind, userId)?.record
    if (organisation === null || user?.passwordVersion !== session.passwordVersion) return unchanged(null)
    const isDemanded = found.byId(settingsKind, organisationId)?.record.requireSecondFactor === true
    const hasFactor = (found.byId(factorKind, userId)?.record.enabledAt ?? null) !== null
    const own = found.all(sessionKind, "userId", userId)
    const latestFirst = own.toSorted(
      (a, b) =>
        b.record.endsAt.epochMilliseconds - a.record.endsAt.epochMilliseconds ||
        (a.record.digest < b.record.digest ? -1 : 1)
    )
    const replaced = found.by(sessionKind, "digest", replaces)
    const surplus = latestFirst.slice(maximumSessions - 1)
    const ended = new Map([...surplus, ...(replaced === null ? [] : [replaced])].map((one) => [one.record.id, one]))
    const { email, id, name, portfolioIds, role } = user
    const { name: organisationName, status } = organisation
    return changing<StoredSession>(
      {
        id: session.id,
        user: { id, email, name, role, portfolioIds },
        organisation: { id: organisationId, name: organisationName, status },
        mustSetUpSecondFactor: session.method !== "oidc" && isDemanded && !hasFactor,
        expiresAt: session.expiresAt.epochMilliseconds
      },
      origin,
      [
        ...[...ended.values()].map((one) => removing(sessionKind, one)),
        inserting(sessionKind, makeUnchecked(SessionRecord, { ...session, usedAt: null }))
      ],
      [userEvent("user.logged_in", user, user, { method: { from: null, to: session.method } })],
      { mayChange: ids(own) }
    )
  }

/** The record that `endSession` reads. */
export const findsOfEnd = (digest: string): ReadonlyArray<Find> => [bySessionDigest(digest)]

/** False if there is none. */
export const endSession =
  (digest: string) =>
  (origin: EventOrigin): Rule<boolean> =>
  (found) => {
    const session = found.by(sessionKind, "digest", digest)
    return session === null ? unchanged(false) : changing(true, origin, [removing(sessionKind, session)])
  }

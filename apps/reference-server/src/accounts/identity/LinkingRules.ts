/** Rules of stored identities as pure functions: records and a command in, a change or a refusal out. */
import { type EventOrigin, type Find, makeUnchecked, type OrganisationId } from "@solar-sites/core"
import {
  activeOrganisation,
  changing,
  findsOrganisation,
  ids,
  inserting,
  type Rule,
  removing,
  unchanged,
  updating
} from "../Commands.ts"
import type { User } from "../people/User.ts"
import { findsOwners, findsUsers, newUser, userEvent, userKind } from "../people/UserKind.ts"
import { passwordChange } from "../people/UserRules.ts"
import { withNextVersion } from "../sessions/PasswordSessions.ts"
import { findsSessionsOf, sessionKind } from "../sessions/SessionKind.ts"
import { domainKind, IdentityRecord, identityKind } from "./IdentityKind.ts"

/** An identity for a user of an organisation that has the domain. */
export interface Linking
  extends Pick<IdentityRecord, "id" | "organisationId" | "userId" | "issuer" | "subject" | "createdAt"> {
  readonly domain: string
}

/** The identity of a subject in an organisation, with its user. */
export const findsOfSubject = (subject: string): ReadonlyArray<Find> => {
  const bySubject = { kind: identityKind, by: "subject", values: [subject] }
  return [bySubject, { kind: userKind, by: "id", values: { of: bySubject, member: "userId" } }]
}

/** The records that `linkIdentity` reads. */
export const findsOfLinking = ({ domain, organisationId, subject, userId }: Linking): ReadonlyArray<Find> => [
  findsOrganisation(organisationId),
  { kind: domainKind, by: "id", values: [domain] },
  findsUsers(userId),
  findsSessionsOf(userId),
  { kind: identityKind, by: "userId", values: [userId] },
  ...findsOfSubject(subject)
]

/**
 * Links an identity to a user, or moves that of a deleted user. The user loses its password and its sessions: another
 * person may have created the account. False when the organisation does not have the domain any more, or identity
 * or user are linked already; `taken` when another organisation has the identity.
 */
export const linkIdentity =
  ({ domain, ...identity }: Linking) =>
  (origin: EventOrigin): Rule<boolean | "taken"> =>
  (found) => {
    const { issuer, organisationId, subject, userId } = identity
    const user = found.byId(userKind, userId)
    const hasDomain = found.byId(domainKind, domain) !== null
    if (activeOrganisation(found, organisationId) === null || !hasDomain || user === null) return unchanged(false)
    const present = found.all(identityKind, "subject", subject).find(({ record }) => record.issuer === issuer)
    const isLinked =
      found.all(identityKind, "userId", userId).some(({ record }) => record.issuer === issuer) ||
      (present !== undefined && found.byId(userKind, present.record.userId) !== null)
    if (isLinked) return unchanged(false)
    if (found.isTaken(identityKind, "subject")) return unchanged("taken")
    const write =
      present === undefined
        ? inserting(identityKind, makeUnchecked(IdentityRecord, identity))
        : updating(identityKind, present, makeUnchecked(IdentityRecord, { ...present.record, userId }))
    const linked = { identity: { from: null, to: issuer } }
    const sessions = found.all(sessionKind, "userId", userId)
    if (user.record.passwordHash === null) {
      const event = userEvent("user.updated", user.record, user.record, linked)
      return changing<boolean | "taken">(true, origin, [write], [event], { mayChange: ids(sessions) })
    }
    const { after, writes } = withNextVersion(user, sessions, { passwordHash: null })
    const event = userEvent("user.updated", after, after, { ...linked, ...passwordChange })
    return changing<boolean | "taken">(true, origin, [write, ...writes], [event])
  }

/** Removes the identity of a deleted user, for a user of another organisation. False when there is none. */
export const releaseIdentity =
  (issuer: string, subject: string) =>
  (origin: EventOrigin): Rule<boolean> =>
  (found) => {
    const present = found.all(identityKind, "subject", subject).find(({ record }) => record.issuer === issuer)
    const isReleased = present !== undefined && found.byId(userKind, present.record.userId) === null
    return isReleased ? changing(true, origin, [removing(identityKind, present)]) : unchanged(false)
  }

/** A user of the provider, with the id of its identity. */
export interface ProviderUser {
  readonly user: User
  readonly identity: Pick<IdentityRecord, "id" | "issuer" | "subject">
  readonly domain: string
}

/** The records that `createProviderUser` reads. */
export const findsOfProviderUser = (
  organisationId: OrganisationId,
  { domain, identity }: ProviderUser
): ReadonlyArray<Find> => [
  findsOrganisation(organisationId),
  { kind: domainKind, by: "id", values: [domain] },
  { kind: identityKind, by: "subject", values: [identity.subject] },
  findsOwners
]

/**
 * Stores a user without password and its identity. False when the organisation is inactive, does not have the domain
 * any more or has no owner, or when address or identity exist.
 */
export const createProviderUser =
  ({ domain, identity, user }: ProviderUser) =>
  (origin: EventOrigin): Rule<boolean> =>
  (found) => {
    const { organisationId, role } = user
    const [owner, ...owners] = found.all(userKind, "role", "owner")
    const exists = found
      .all(identityKind, "subject", identity.subject)
      .some(({ record }) => record.issuer === identity.issuer)
    const isAllowed =
      activeOrganisation(found, organisationId) !== null &&
      found.byId(domainKind, domain) !== null &&
      (role === "owner" || owner !== undefined)
    const isTaken = found.isTaken(userKind, "login") || found.isTaken(identityKind, "subject")
    if (!isAllowed || exists || isTaken) return unchanged(false)
    const record = newUser(user, null)
    const stored = makeUnchecked(IdentityRecord, {
      ...identity,
      organisationId,
      userId: user.id,
      createdAt: user.createdAt
    })
    return changing(
      true,
      origin,
      [inserting(userKind, record), inserting(identityKind, stored)],
      [userEvent("user.created", null, record, { identity: { from: null, to: identity.issuer } })],
      { mayChange: ids(role === "owner" && owner !== undefined ? [owner, ...owners] : owners) }
    )
  }

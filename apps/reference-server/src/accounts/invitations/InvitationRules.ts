/** Rules of invitations as pure functions: records and a command in, a change or a refusal out. */
import { type EventOrigin, type Find, type Found, makeUnchecked, type OrganisationId, UserId } from "@solar-sites/core"
import type { DateTime } from "effect"
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
import { LinkRecord, linkKind } from "../login/LinkKind.ts"
import { managedBy, mayManage, type Role } from "../people/Role.ts"
import { User } from "../people/User.ts"
import { findsUsers, newUser, userEvent, userKind, userOf } from "../people/UserKind.ts"
import { invitationEvent, isGivable, isOpen } from "./InvitationEvents.ts"

/** Instants in milliseconds. `mailedAt`: the mail server accepted the mail with the current token. */
export interface Invitation {
  readonly organisationId: OrganisationId
  /** Also the id of the user that it creates. */
  readonly id: string
  readonly email: string
  readonly name: string | null
  readonly role: Role
  readonly createdAt: number
  readonly expiresAt: number
  readonly mailedAt: number | null
}

/** An invitation with what its mail and page show. */
export interface ShownInvitation extends Invitation {
  readonly organisation: string
  readonly inviter: string
}

/** Concurrent creations can exceed it by their number. */
export const maximumInvitations = 100

const withInviters = (links: Find & { readonly values: ReadonlyArray<string> }): ReadonlyArray<Find> => [
  links,
  { kind: userKind, by: "id", values: { of: links, member: "createdBy" } }
]

/** The invitations of an organisation, with their inviters. */
export const findsOfInvitations = (organisationId: OrganisationId): ReadonlyArray<Find> => [
  findsOrganisation(organisationId),
  ...withInviters({ kind: linkKind, by: "organisationId", values: [organisationId] })
]

/** One invitation by its id or digest, with its inviter. */
export const findsOfInvitation = (
  organisationId: OrganisationId,
  by: "id" | "digest",
  value: string
): ReadonlyArray<Find> => [findsOrganisation(organisationId), ...withInviters({ kind: linkKind, by, values: [value] })]

/** The records that `createInvitation` reads. */
export const findsOfCreation = ({ inviter, organisationId, login }: CreatedInvitation): ReadonlyArray<Find> => [
  ...findsOfInvitations(organisationId),
  findsUsers(inviter),
  { kind: userKind, by: "login", values: [login] }
]

const shown = (found: Found, link: LinkRecord): ShownInvitation => ({
  organisationId: link.organisationId,
  id: link.id,
  email: link.email,
  name: link.name,
  // Every invitation has a role.
  role: link.role ?? "viewer",
  createdAt: link.createdAt.epochMilliseconds,
  expiresAt: link.expiresAt.epochMilliseconds,
  mailedAt: link.mailedAt?.epochMilliseconds ?? null,
  organisation: activeOrganisation(found, link.organisationId)?.name ?? "",
  inviter: found.byId(userKind, link.createdBy)?.record.name ?? ""
})

const inviterRole = (found: Found, { createdBy }: LinkRecord): Role | null =>
  found.byId(userKind, createdBy)?.record.role ?? null

/**
 * Whether an invitation stands: it is open, its organisation is active, its inviter may still give the role, and no
 * other organisation has claimed the domain.
 */
const stands = (found: Found, link: LinkRecord, at: DateTime.Utc): boolean =>
  isOpen(link, at) &&
  activeOrganisation(found, link.organisationId) !== null &&
  isGivable(inviterRole(found, link), link) &&
  !link.isForeign

/** The invitations that stand, oldest first. */
export const standing = (
  found: Found,
  organisationId: OrganisationId,
  at: DateTime.Utc
): ReadonlyArray<ShownInvitation> =>
  found
    .all(linkKind, "organisationId", organisationId)
    .filter(({ record }) => stands(found, record, at))
    .map(({ record }) => shown(found, record))
    .sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))

/** The invitation of a digest, when it stands. */
export const standingByDigest = (found: Found, digest: string, at: DateTime.Utc): ShownInvitation | null => {
  const link = found.by(linkKind, "digest", digest)?.record
  return link !== undefined && stands(found, link, at) ? shown(found, link) : null
}

export interface CreatedInvitation
  extends Pick<
    LinkRecord,
    "organisationId" | "id" | "digest" | "login" | "email" | "name" | "domain" | "isForeign" | "createdAt" | "expiresAt"
  > {
  readonly role: Role
  readonly inviter: UserId
}

/**
 * `other`: the inviter may not give the role, or that of an invitation of the address that stands. `foreign`: another
 * organisation has the domain. `gone`: there is no such inviter. `taken`: a user of the organisation has the address.
 */
export type Refused = "taken" | "full" | "other" | "foreign" | "gone"

/** Stores an invitation in place of an earlier one of the address. The inviter stays as it is until the commit. */
export const createInvitation =
  ({ inviter: inviterId, role, ...invitation }: CreatedInvitation) =>
  (origin: EventOrigin): Rule<ShownInvitation | Refused> =>
  (found) => {
    const { createdAt: at, isForeign, login, organisationId } = invitation
    const inviter = found.byId(userKind, inviterId)
    if (activeOrganisation(found, organisationId) === null || inviter === null) return unchanged("gone")
    if (!mayManage(inviter.record.role, role)) return unchanged("other")
    if (isForeign) return unchanged("foreign")
    if (found.by(userKind, "login", login) !== null) return unchanged("taken")
    const all = found.all(linkKind, "organisationId", organisationId)
    const invitations = all.filter(({ record }) => record.purpose === "invitation")
    const others = invitations.filter(({ record }) => record.login !== login && stands(found, record, at))
    if (others.length >= maximumInvitations) return unchanged("full")
    const earlier = invitations.find(({ record }) => record.login === login)
    const isReplaceable = ({ record }: NonNullable<typeof earlier>) =>
      isGivable(inviter.record.role, record) || !isOpen(record, at) || !isGivable(inviterRole(found, record), record)
    if (earlier !== undefined && !isReplaceable(earlier)) return unchanged("other")
    const none = { userId: null, passwordVersion: null, mailedAt: null }
    const after = makeUnchecked(LinkRecord, {
      ...invitation,
      ...none,
      purpose: "invitation",
      role,
      createdBy: inviterId
    })
    const inviters = invitations.flatMap(({ record }) => record.createdBy ?? []).filter((id) => id !== inviterId)
    const shownAfter = { ...shown(found, after), inviter: inviter.record.name }
    return changing<ShownInvitation | Refused>(
      shownAfter,
      origin,
      [...(earlier === undefined ? [] : [removing(linkKind, earlier)]), inserting(linkKind, after)],
      [invitationEvent("user.invited", null, after)],
      { mayChange: [...ids(all), ...inviters] }
    )
  }

/** The invitation with this id, when a user with the role `by` may change it. */
const manageable = (found: Found, id: string, by: Role) => {
  const link = found.byId(linkKind, id)
  if (link === null || link.record.purpose !== "invitation") return null
  return link.record.role !== null && managedBy(by).includes(link.record.role) ? link : null
}

/** Replaces the token. Null when the invitation does not stand. */
export const renewInvitation =
  (id: string, by: Role, token: Pick<LinkRecord, "digest" | "expiresAt">) =>
  (origin: EventOrigin): Rule<ShownInvitation | null> =>
  (found) => {
    const link = manageable(found, id, by)
    if (link === null || !stands(found, link.record, origin.occurredAt)) return unchanged(null)
    const after = makeUnchecked(LinkRecord, { ...link.record, ...token, mailedAt: null })
    const events = [invitationEvent("user.invited", null, after)]
    return changing(shown(found, after), origin, [updating(linkKind, link, after)], events)
  }

/** False if there is none. */
export const withdrawInvitation =
  (id: string, by: Role) =>
  (origin: EventOrigin): Rule<boolean> =>
  (found) => {
    const link = manageable(found, id, by)
    if (link === null) return unchanged(false)
    const events = [invitationEvent("user.deleted", link.record, null)]
    const { createdBy, organisationId } = link.record
    return changing(true, origin, [removing(linkKind, link)], events, {
      mayChange: [organisationId, ...(createdBy === null ? [] : [createdBy])]
    })
  }

/**
 * Creates the user and ends the invitation. Null when it does not stand; `taken`, and the invitation stays, if a
 * user of any organisation has the address.
 */
export const acceptInvitation =
  (digest: string, name: string, passwordHash: string) =>
  (origin: EventOrigin): Rule<User | "taken" | null> =>
  (found) => {
    const link = found.by(linkKind, "digest", digest)
    if (link === null || !stands(found, link.record, origin.occurredAt)) return unchanged(null)
    if (found.isTaken(userKind, "login")) return unchanged("taken")
    const { email, id, organisationId, role } = link.record
    const invited = { id: UserId.make(id), organisationId, email, name, role: role ?? "viewer" }
    const user = newUser(makeUnchecked(User, { ...invited, createdAt: origin.occurredAt }), passwordHash)
    const writes = [inserting(userKind, user), removing(linkKind, link)]
    return changing<User | "taken" | null>(userOf(user), origin, writes, [userEvent("user.created", null, user)])
  }

/** Does nothing if the token was replaced since. */
export const markMailed =
  (digest: string, mailedAt: DateTime.Utc) =>
  (origin: EventOrigin): Rule<void> =>
  (found) => {
    const link = found.by(linkKind, "digest", digest)
    if (link === null) return unchanged(undefined)
    const after = makeUnchecked(LinkRecord, { ...link.record, mailedAt })
    return changing(undefined, origin, [updating(linkKind, link, after)])
  }

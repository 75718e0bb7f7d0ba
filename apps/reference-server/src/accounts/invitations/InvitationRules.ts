/** Rules of invitations as pure functions: records and a command in, a change or a refusal out. */
import {
  type EventOrigin,
  type Find,
  type Found,
  makeUnchecked,
  type OrganisationId,
  type PortfolioLimit,
  type UserId
} from "@solar-sites/core"
import { type DateTime, Result } from "effect"
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
import {
  type Authority,
  checkLimit,
  findsPortfolios,
  isSeenBy,
  type LimitRefusal,
  manages
} from "../people/Authority.ts"
import { mayManage, type Role } from "../people/Role.ts"
import { findsUsers, userKind } from "../people/UserKind.ts"
import { invitationEvent, isGivable, isOpen } from "./InvitationEvents.ts"

/** Instants in milliseconds. `mailedAt`: the mail server accepted the mail with the current token. */
export interface Invitation {
  readonly organisationId: OrganisationId
  /** Also the id of the user that it creates. */
  readonly id: string
  readonly email: string
  readonly name: string | null
  readonly role: Role
  readonly portfolioIds: PortfolioLimit
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
export const findsOfCreation = ({
  inviter,
  login,
  organisationId,
  portfolioIds
}: CreatedInvitation): ReadonlyArray<Find> => [
  ...findsOfInvitations(organisationId),
  ...findsPortfolios(portfolioIds),
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
  portfolioIds: link.portfolioIds,
  createdAt: link.createdAt.epochMilliseconds,
  expiresAt: link.expiresAt.epochMilliseconds,
  mailedAt: link.mailedAt?.epochMilliseconds ?? null,
  organisation: activeOrganisation(found, link.organisationId)?.name ?? "",
  inviter: found.byId(userKind, link.createdBy)?.record.name ?? ""
})

const inviterOf = (found: Found, { createdBy }: LinkRecord): Authority | null =>
  found.byId(userKind, createdBy)?.record ?? null

/**
 * Whether an invitation stands: it is open, its organisation is active, its inviter may still give role and limit,
 * and no other organisation has claimed the domain.
 */
export const stands = (found: Found, link: LinkRecord, at: DateTime.Utc): boolean =>
  isOpen(link, at) &&
  activeOrganisation(found, link.organisationId) !== null &&
  isGivable(inviterOf(found, link), link) &&
  !link.isForeign

/** The invitations that stand and that are there for a user, oldest first. */
export const standing = (
  found: Found,
  organisationId: OrganisationId,
  at: DateTime.Utc,
  by: Authority
): ReadonlyArray<ShownInvitation> =>
  found
    .all(linkKind, "organisationId", organisationId)
    .filter(({ record }) => stands(found, record, at) && isSeenBy(by, record))
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
  /** Without it the invitation has the limit of its inviter. */
  readonly portfolioIds?: PortfolioLimit
  readonly inviter: UserId
}

/**
 * `other`: the inviter may not give the role, or that of an invitation of the address that stands. `foreign`: another
 * organisation has the domain. `gone`: there is no such inviter. `taken`: a user of the organisation has the address,
 * or an invitation that stands and is not there for the inviter.
 */
export type Refused = "taken" | "full" | "other" | "foreign" | "gone"

/** Stores an invitation in place of an earlier one of the address. The inviter stays as it is until the commit. */
export const createInvitation =
  ({ inviter: inviterId, portfolioIds: given, role, ...invitation }: CreatedInvitation) =>
  (origin: EventOrigin): Rule<ShownInvitation | Refused, LimitRefusal> =>
  (found) => {
    const { createdAt: at, isForeign, login, organisationId } = invitation
    const inviter = found.byId(userKind, inviterId)
    if (activeOrganisation(found, organisationId) === null || inviter === null) return unchanged("gone")
    if (!mayManage(inviter.record.role, role)) return unchanged("other")
    const { portfolioIds: own } = inviter.record
    const limit = given === undefined ? Result.void : checkLimit(found, { role, portfolioIds: given }, own)
    if (Result.isFailure(limit)) return Result.fail(limit.failure)
    if (isForeign) return unchanged("foreign")
    if (found.by(userKind, "login", login) !== null) return unchanged("taken")
    const all = found.all(linkKind, "organisationId", organisationId)
    const invitations = all.filter(({ record }) => record.purpose === "invitation")
    const others = invitations.filter(({ record }) => record.login !== login && stands(found, record, at))
    if (others.length >= maximumInvitations) return unchanged("full")
    const earlier = invitations.find(({ record }) => record.login === login)
    const isReplaceable = ({ record }: NonNullable<typeof earlier>) =>
      isGivable(inviter.record, record) || !isOpen(record, at) || !isGivable(inviterOf(found, record), record)
    if (earlier !== undefined && !isReplaceable(earlier)) {
      return unchanged(isSeenBy(inviter.record, earlier.record) ? "other" : "taken")
    }
    const none = { userId: null, passwordVersion: null, mailedAt: null }
    const after = makeUnchecked(LinkRecord, {
      ...invitation,
      ...none,
      purpose: "invitation",
      role,
      portfolioIds: given === undefined ? own : given,
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

/** The invitation with this id, when a user may change it. */
const manageable = (found: Found, id: string, by: Authority) => {
  const link = found.byId(linkKind, id)
  if (link === null || link.record.purpose !== "invitation") return null
  return manages(by, link.record) ? link : null
}

/** Replaces the token. Null when the invitation does not stand. */
export const renewInvitation =
  (id: string, by: Authority, token: Pick<LinkRecord, "digest" | "expiresAt">) =>
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
  (id: string, by: Authority) =>
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

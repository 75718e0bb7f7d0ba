/** Commands on invitations, with their rules as pure functions. */
import {
  type Find,
  type Found,
  makeUnchecked,
  type OrganisationId,
  organisationKind,
  type PortfolioLimit,
  UserId
} from "@solar-sites/core"
import { Data, type DateTime, Result } from "effect"
import { activeOrganisation, type Command, changing, find, ids, on, removing, storing, unchanged } from "../Commands.ts"
import { DomainTaken } from "../identity/LoginDomains.ts"
import { LinkRecord, linkKind } from "../login/LinkKind.ts"
import { LinkInvalid } from "../login/LinkRules.ts"
import {
  type Authority,
  checkLimit,
  findsPortfolios,
  isSeenBy,
  type LimitRefusal,
  type Manager,
  manages
} from "../people/Authority.ts"
import { insufficientFor, mayManage, type Role, type RoleInsufficient } from "../people/Role.ts"
import { EmailTaken, User } from "../people/User.ts"
import { newUser, userEvent, userKind, userOf } from "../people/UserKind.ts"
import { invitationEvent, inviterOf, isGivable, isOpen, stands } from "./InvitationEvents.ts"

/** The organisation has no such invitation, or not one that the user may change. */
export class InvitationNotFound extends Data.TaggedError("InvitationNotFound")<Record<never, never>> {}

export class TooManyInvitations extends Data.TaggedError("TooManyInvitations")<Record<never, never>> {}

/**
 * An invitation with what its mail and page show. Its id is also that of the user that it creates. `mailedAt`: the mail
 * server accepted the mail with the current token.
 */
export interface ShownInvitation extends Omit<LinkRecord, "role"> {
  readonly role: Role
  readonly organisation: string
  readonly inviter: string
}

/** Concurrent creations can exceed it by their number. */
export const maximumInvitations = 100

/** The invitations of an organisation, or one of them, with the organisation and the inviters. */
export const findsOfInvitations = (
  organisationId: OrganisationId,
  by: "organisationId" | "id" | "digest" = "organisationId",
  value: string = organisationId
): ReadonlyArray<Find> => {
  const links = find(linkKind, by, value)
  const inviters = { kind: userKind, by: "id", values: { of: links, member: "createdBy" } }
  return [find(organisationKind, "id", organisationId), links, inviters]
}

const shown = (found: Found, link: LinkRecord): ShownInvitation => ({
  ...link,
  // Every invitation has a role.
  role: link.role ?? "viewer",
  organisation: activeOrganisation(found, link.organisationId)?.name ?? "",
  inviter: found.byId(userKind, link.createdBy)?.record.name ?? ""
})

/** The invitations that stand and that are there for a user, oldest first. */
export const standing = (found: Found, by: Manager, at: DateTime.Utc): ReadonlyArray<ShownInvitation> =>
  found
    .all(linkKind, "organisationId", by.organisationId)
    .filter(({ record }) => stands(found, record, at) && isSeenBy(by, record))
    .map(({ record }) => shown(found, record))
    .sort((a, b) => a.createdAt.epochMilliseconds - b.createdAt.epochMilliseconds || (a.id < b.id ? -1 : 1))

/** The invitation of a digest, when it stands. */
export const standingByDigest = (found: Found, digest: string, at: DateTime.Utc) => {
  const link = found.by(linkKind, "digest", digest)
  return link !== null && stands(found, link.record, at)
    ? Result.succeed({ link, invitation: shown(found, link.record) })
    : Result.fail(new LinkInvalid())
}

export interface CreatedInvitation
  extends Pick<
    LinkRecord,
    "organisationId" | "id" | "digest" | "login" | "email" | "name" | "isForeign" | "createdAt" | "expiresAt"
  > {
  readonly domain: string
  readonly role: Role
  /** Without it the invitation has the limit of its inviter. */
  readonly portfolioIds?: PortfolioLimit
  readonly inviter: UserId
}

/**
 * Stores an invitation in place of an earlier one of the address. The inviter stays as it is until the commit.
 * `RoleInsufficient`: the inviter may not give the role, or that of an invitation of the address that stands.
 * `EmailTaken`: a user of the organisation has the address, or an invitation that stands and is not there for the
 * inviter. `InvitationNotFound`: there is no such inviter.
 */
export const createInvitation = ({
  inviter: inviterId,
  portfolioIds: given,
  role,
  ...invitation
}: CreatedInvitation): Command<
  ShownInvitation,
  DomainTaken | EmailTaken | InvitationNotFound | LimitRefusal | RoleInsufficient | TooManyInvitations
> => {
  const { createdAt: at, domain, email, isForeign, login, organisationId } = invitation
  return {
    ...on(linkKind, login, "Invitations.create", organisationId),
    finds: [
      ...findsOfInvitations(organisationId),
      ...findsPortfolios(given),
      find(userKind, "id", inviterId),
      find(userKind, "login", login)
    ],
    rule: (found) =>
      Result.gen(function* () {
        const inviter = found.byId(userKind, inviterId)?.record
        if (activeOrganisation(found, organisationId) === null || inviter === undefined) {
          return yield* Result.fail(new InvitationNotFound())
        }
        if (!mayManage(inviter.role, role)) return yield* Result.fail(insufficientFor(inviter.role))
        const { portfolioIds: own } = inviter
        if (given !== undefined) yield* checkLimit(found, { role, portfolioIds: given }, own)
        if (isForeign) return yield* Result.fail(new DomainTaken({ domains: [domain] }))
        if (found.by(userKind, "login", login) !== null) return yield* Result.fail(new EmailTaken({ email }))
        const all = found.all(linkKind, "organisationId", organisationId)
        const invitations = all.filter(({ record }) => record.purpose === "invitation")
        const others = invitations.filter(({ record }) => record.login !== login && stands(found, record, at))
        if (others.length >= maximumInvitations) return yield* Result.fail(new TooManyInvitations())
        const earlier = invitations.find(({ record }) => record.login === login)
        const isReplaceable = ({ record }: NonNullable<typeof earlier>) =>
          isGivable(inviter, record) || !isOpen(record, at) || !isGivable(inviterOf(found, record), record)
        if (earlier !== undefined && !isReplaceable(earlier)) {
          const isSeen = isSeenBy(inviter, earlier.record)
          return yield* Result.fail(isSeen ? insufficientFor(inviter.role) : new EmailTaken({ email }))
        }
        const after = makeUnchecked(LinkRecord, {
          ...invitation,
          ...{ userId: null, passwordVersion: null, mailedAt: null, purpose: "invitation", role },
          portfolioIds: given === undefined ? own : given,
          createdBy: inviterId
        })
        const inviters = invitations.flatMap(({ record }) => record.createdBy ?? []).filter((id) => id !== inviterId)
        return yield* changing(
          { ...shown(found, after), inviter: inviter.name },
          [...(earlier === undefined ? [] : [removing(linkKind, earlier)]), storing(linkKind, null, after)],
          [invitationEvent("user.invited", null, after)],
          [...ids(all), ...inviters]
        )
      })
  }
}

/** The beginning of a command on one invitation. */
const onInvitation = (organisationId: OrganisationId, by: "id" | "digest", value: string, operation: string) => ({
  ...on(linkKind, value, `Invitations.${operation}`, organisationId),
  finds: findsOfInvitations(organisationId, by, value)
})

/** The invitation with this id, when a user may change it. */
const manageable = (found: Found, id: string, by: Authority) => {
  const link = found.byId(linkKind, id)
  return link?.record.purpose === "invitation" && manages(by, link.record) ? link : null
}

/** Replaces the token. The invitation has to stand. */
export const renewInvitation = (
  id: string,
  by: Manager,
  token: Pick<LinkRecord, "digest" | "expiresAt">
): Command<ShownInvitation, InvitationNotFound> => ({
  ...onInvitation(by.organisationId, "id", id, "renew"),
  rule: (found, at) => {
    const link = manageable(found, id, by)
    if (link === null || !stands(found, link.record, at)) return Result.fail(new InvitationNotFound())
    const after = makeUnchecked(LinkRecord, { ...link.record, ...token, mailedAt: null })
    const events = [invitationEvent("user.invited", null, after)]
    return changing(shown(found, after), [storing(linkKind, link, after)], events)
  }
})

export const withdrawInvitation = (id: string, by: Manager): Command<void, InvitationNotFound> => ({
  ...onInvitation(by.organisationId, "id", id, "withdraw"),
  rule: (found) => {
    const link = manageable(found, id, by)
    if (link === null) return Result.fail(new InvitationNotFound())
    const events = [invitationEvent("user.deleted", link.record, null)]
    const mayChange = [by.organisationId, link.record.createdBy ?? ""]
    return changing(undefined, [removing(linkKind, link)], events, mayChange)
  }
})

/** Creates the user and ends the invitation, which stays when a user of any organisation has the address. */
export const acceptInvitation = (
  organisationId: OrganisationId,
  digest: string,
  name: string,
  passwordHash: string
): Command<User, EmailTaken | LinkInvalid> => ({
  ...onInvitation(organisationId, "digest", digest, "accept"),
  rule: (found, at) =>
    Result.flatMap(standingByDigest(found, digest, at), ({ invitation, link }) => {
      const { email, id, portfolioIds, role } = invitation
      if (found.isTaken(userKind, "login")) return Result.fail(new EmailTaken({ email }))
      const invited = { id: UserId.make(id), organisationId, email, name, role, portfolioIds }
      const user = newUser(makeUnchecked(User, { ...invited, createdAt: at }), passwordHash)
      const writes = [storing(userKind, null, user), removing(linkKind, link)]
      return changing(userOf(user), writes, [userEvent("user.created", null, user)])
    })
})

/** Does nothing if the token was replaced since. */
export const markMailed = (organisationId: OrganisationId, digest: string, mailedAt: DateTime.Utc): Command<void> => ({
  ...onInvitation(organisationId, "digest", digest, "markMailed"),
  rule: (found) => {
    const link = found.by(linkKind, "digest", digest)
    if (link === null) return unchanged(undefined)
    const after = makeUnchecked(LinkRecord, { ...link.record, mailedAt })
    return changing(undefined, [storing(linkKind, link, after)])
  }
})

/** Rules of links of users as pure functions: records and a command in, a change or a refusal out. */
import {
  type EventOrigin,
  type Find,
  type Found,
  makeUnchecked,
  type OrganisationId,
  type UserId
} from "@solar-sites/core"
import { DateTime, Result } from "effect"
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
import { EmailTaken, type User } from "../people/User.ts"
import { changedUser, findsUsers, userEvent, userKind, userOf } from "../people/UserKind.ts"
import { passwordChange } from "../people/UserRules.ts"
import { withNextVersion } from "../sessions/PasswordSessions.ts"
import { findsSessionsOf, sessionKind } from "../sessions/SessionKind.ts"
import { findsLinksOf, LinkRecord, linkKind } from "./LinkKind.ts"

export type LinkPurpose = "reset" | "email"

/** A user by its ids. */
export interface OwnerIds {
  readonly organisationId: OrganisationId
  readonly userId: UserId
}

/** The records that rules of links read. */
export const findsOfLinks = ({ organisationId, userId }: OwnerIds): ReadonlyArray<Find> => [
  findsOrganisation(organisationId),
  findsUsers(userId),
  findsLinksOf(userId)
]

/** The records that `resetPassword` reads. */
export const findsOfReset = (owner: OwnerIds): ReadonlyArray<Find> => [
  ...findsOfLinks(owner),
  findsSessionsOf(owner.userId)
]

type NewLink = Pick<LinkRecord, "id" | "digest" | "login" | "email" | "createdAt" | "expiresAt"> & {
  readonly purpose: LinkPurpose
}

/**
 * Stores a link in place of the earlier one for the purpose. False when the organisation is inactive, the user
 * is deleted, or its password has another version than a given one.
 */
export const issueLink =
  (owner: OwnerIds, link: NewLink, passwordVersion?: number) =>
  (origin: EventOrigin): Rule<boolean> =>
  (found) => {
    const user = found.byId(userKind, owner.userId)?.record
    const isOwner = user !== undefined && (passwordVersion ?? user.passwordVersion) === user.passwordVersion
    if (activeOrganisation(found, owner.organisationId) === null || !isOwner) return unchanged(false)
    const all = found.all(linkKind, "userId", owner.userId)
    const replaced = all.filter(({ record }) => record.purpose === link.purpose)
    const after = makeUnchecked(LinkRecord, {
      ...owner,
      ...link,
      passwordVersion: user.passwordVersion,
      name: null,
      role: null,
      portfolioIds: null,
      createdBy: null,
      mailedAt: null,
      domain: null,
      isForeign: false
    })
    const writes = [...replaced.map((one) => removing(linkKind, one)), inserting(linkKind, after)]
    // A link is judged again when it is used.
    return changing(true, origin, writes, [], { mayChange: [owner.organisationId, owner.userId, ...ids(all)] })
  }

/** The user and the link of a token, when the link is valid: for the purpose, in time, and for the present password. */
export const validLink = (found: Found, owner: OwnerIds, purpose: LinkPurpose, digest: string, at: DateTime.Utc) => {
  const user = found.byId(userKind, owner.userId)
  const links = found.all(linkKind, "userId", owner.userId)
  const link = links.find(({ record }) => record.digest === digest)?.record
  if (user === null || link === undefined || activeOrganisation(found, owner.organisationId) === null) return null
  const isValid =
    link.purpose === purpose &&
    DateTime.isGreaterThan(link.expiresAt, at) &&
    link.passwordVersion === user.record.passwordVersion
  return isValid ? { user, link, removals: links.map((one) => removing(linkKind, one)) } : null
}

/** Sets the password, and ends all links and sessions of the user. Null when the link is not valid. */
export const resetPassword =
  (owner: OwnerIds, digest: string, passwordHash: string) =>
  (origin: EventOrigin): Rule<User | null> =>
  (found) => {
    const valid = validLink(found, owner, "reset", digest, origin.occurredAt)
    if (valid === null) return unchanged(null)
    const sessions = found.all(sessionKind, "userId", owner.userId)
    const { after, writes } = withNextVersion(valid.user, sessions, { passwordHash })
    const event = userEvent("user.updated", after, after, passwordChange)
    return changing(userOf(after), origin, [...writes, ...valid.removals], [event], {
      mayChange: [owner.organisationId]
    })
  }

export interface EmailChange {
  readonly user: User
  readonly emailBefore: string
}

/** Sets the address, and ends all links of the user. Null when the link is not valid. */
export const confirmEmail =
  (owner: OwnerIds, digest: string) =>
  (origin: EventOrigin): Rule<EmailChange | null, EmailTaken> =>
  (found) => {
    const valid = validLink(found, owner, "email", digest, origin.occurredAt)
    if (valid === null || valid.user.record.email === valid.link.email) return unchanged(null)
    const { link, removals, user } = valid
    if (found.isTaken(userKind, "login")) return Result.fail(new EmailTaken({ email: link.email }))
    const after = changedUser(user.record, { login: link.login, email: link.email })
    const answer = { user: userOf(after), emailBefore: user.record.email }
    const events = [userEvent("user.updated", user.record, after)]
    return changing(answer, origin, [updating(userKind, user, after), ...removals], events, {
      mayChange: [owner.organisationId]
    })
  }

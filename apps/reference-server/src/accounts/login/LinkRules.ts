/** Commands on links of users, with their rules as pure functions. */
import { type Find, type Found, makeUnchecked, organisationKind } from "@solar-sites/core"
import { Data, DateTime, Result } from "effect"
import { activeOrganisation, type Command, changing, find, ids, on, removing, storing, unchanged } from "../Commands.ts"
import { EmailTaken, type User, type UserIds } from "../people/User.ts"
import { changedUser, passwordChange, userEvent, userKind, userOf } from "../people/UserKind.ts"
import { sessionKind } from "../sessions/SessionKind.ts"
import { withNextVersion } from "../sessions/SessionRules.ts"
import { LinkRecord, linkKind } from "./LinkKind.ts"

export type LinkPurpose = "reset" | "email"

/** Used, replaced, withdrawn, expired, unknown or malformed; the caller does not learn which. */
export class LinkInvalid extends Data.TaggedError("LinkInvalid")<Record<never, never>> {}

/** The organisation, the user and its links. */
export const findsOfLinks = ({ id, organisationId }: UserIds): ReadonlyArray<Find> => [
  find(organisationKind, "id", organisationId),
  find(userKind, "id", id),
  find(linkKind, "userId", id)
]

/** The beginning of a command on the links of a user. */
const onLinks = (owner: UserIds, operation: string) => ({
  ...on(userKind, owner.id, `UserLinks.${operation}`, owner.organisationId),
  finds: findsOfLinks(owner)
})

type NewLink = Pick<LinkRecord, "id" | "digest" | "login" | "email" | "createdAt" | "expiresAt"> & {
  readonly purpose: LinkPurpose
}

/**
 * Stores a link in place of the earlier one for the purpose. False when the organisation is inactive, the user
 * is deleted, or its password has another version than a given one.
 */
export const issueLink = (owner: UserIds, link: NewLink, passwordVersion?: number): Command<boolean> => ({
  ...onLinks(owner, "issue"),
  rule: (found) => {
    const user = found.byId(userKind, owner.id)?.record
    const isOwner = user !== undefined && (passwordVersion ?? user.passwordVersion) === user.passwordVersion
    if (activeOrganisation(found, owner.organisationId) === null || !isOwner) return unchanged(false)
    const all = found.all(linkKind, "userId", owner.id)
    const replaced = all.filter(({ record }) => record.purpose === link.purpose)
    const after = makeUnchecked(LinkRecord, {
      ...link,
      organisationId: owner.organisationId,
      userId: owner.id,
      passwordVersion: user.passwordVersion,
      ...{ name: null, role: null, portfolioIds: null, createdBy: null, mailedAt: null, domain: null, isForeign: false }
    })
    const writes = [...replaced.map((one) => removing(linkKind, one)), storing(linkKind, null, after)]
    // A link is judged again when it is used.
    return changing(true, writes, [], [owner.organisationId, owner.id, ...ids(all)])
  }
})

/** The user and the link of a token. The link has to be for the purpose, in time, and for the present password. */
export const validLink = (found: Found, owner: UserIds, purpose: LinkPurpose, digest: string, at: DateTime.Utc) => {
  const user = found.byId(userKind, owner.id)
  const links = found.all(linkKind, "userId", owner.id)
  const link = links.find(({ record }) => record.digest === digest)?.record
  const isValid =
    link?.purpose === purpose &&
    DateTime.isGreaterThan(link.expiresAt, at) &&
    link.passwordVersion === user?.record.passwordVersion &&
    activeOrganisation(found, owner.organisationId) !== null
  if (!isValid || user === null) return Result.fail(new LinkInvalid())
  return Result.succeed({ user, link, removals: links.map((one) => removing(linkKind, one)) })
}

/** Sets the password, and ends all links and sessions of the user. */
export const resetPassword = (owner: UserIds, digest: string, passwordHash: string): Command<User, LinkInvalid> => {
  const command = onLinks(owner, "setPassword")
  return {
    ...command,
    finds: [...command.finds, find(sessionKind, "userId", owner.id)],
    rule: (found, at) =>
      Result.flatMap(validLink(found, owner, "reset", digest, at), ({ removals, user }) => {
        const { after, writes } = withNextVersion(found, user, { passwordHash })
        const events = [userEvent("user.updated", after, after, passwordChange)]
        return changing(userOf(after), [...writes, ...removals], events, [owner.organisationId])
      })
  }
}

export interface EmailChange {
  readonly user: User
  readonly emailBefore: string
}

/** Sets the address, and ends all links of the user. */
export const confirmEmail = (owner: UserIds, digest: string): Command<EmailChange, EmailTaken | LinkInvalid> => ({
  ...onLinks(owner, "confirmEmail"),
  rule: (found, at) =>
    Result.gen(function* () {
      const { link, removals, user } = yield* validLink(found, owner, "email", digest, at)
      const { email, login } = link
      if (user.record.email === email) return yield* Result.fail(new LinkInvalid())
      if (found.isTaken(userKind, "login")) return yield* Result.fail(new EmailTaken({ email }))
      const after = changedUser(user.record, { login, email })
      const answer = { user: userOf(after), emailBefore: user.record.email }
      const events = [userEvent("user.updated", user.record, after)]
      return yield* changing(answer, [storing(userKind, user, after), ...removals], events, [owner.organisationId])
    })
})

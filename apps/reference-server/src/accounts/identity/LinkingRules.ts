/** Commands on identities, with their rules as pure functions. */
import { type Found, makeUnchecked, type OrganisationId, organisationKind } from "@solar-sites/core"
import { activeOrganisation, type Command, changing, find, ids, on, removing, storing, unchanged } from "../Commands.ts"
import type { User } from "../people/User.ts"
import { newUser, passwordChange, userEvent, userKind } from "../people/UserKind.ts"
import { sessionKind } from "../sessions/SessionKind.ts"
import { findsOfPassword, withNextVersion } from "../sessions/SessionRules.ts"
import { domainKind, IdentityRecord, identityKind } from "./IdentityKind.ts"
import type { Identity } from "./IdentityRules.ts"

/** The identities of a subject in an organisation, with their users. */
const findsOfSubject = (subject: string) => {
  const bySubject = find(identityKind, "subject", subject)
  return [bySubject, { kind: userKind, by: "id", values: { of: bySubject, member: "userId" } }]
}

const presentIn = (found: Found, { issuer, subject }: Identity) =>
  found.all(identityKind, "subject", subject).find(({ record }) => record.issuer === issuer)

/**
 * Links an identity to a user, or moves that of a deleted user. The user loses its password and its sessions: another
 * person may have created the account. False when the organisation does not have the domain any more, or identity
 * or user are linked already; `taken` when another organisation has the identity.
 */
export const linkIdentity = (identity: IdentityRecord, domain: string): Command<boolean | "taken"> => {
  const { issuer, organisationId, subject, userId } = identity
  return {
    ...on(userKind, userId, "ProviderUsers.link", organisationId),
    finds: [
      find(organisationKind, "id", organisationId),
      find(domainKind, "id", domain),
      ...findsOfPassword(userId),
      find(identityKind, "userId", userId),
      ...findsOfSubject(subject)
    ],
    rule: (found) => {
      const user = found.byId(userKind, userId)
      const hasDomain = found.byId(domainKind, domain) !== null
      if (activeOrganisation(found, organisationId) === null || !hasDomain || user === null) return unchanged(false)
      const present = presentIn(found, identity)
      const isLinked =
        found.all(identityKind, "userId", userId).some(({ record }) => record.issuer === issuer) ||
        (present !== undefined && found.byId(userKind, present.record.userId) !== null)
      if (isLinked) return unchanged(false)
      if (found.isTaken(identityKind, "subject")) return unchanged("taken")
      const moved = makeUnchecked(IdentityRecord, { ...(present?.record ?? identity), userId })
      const write = storing(identityKind, present ?? null, moved)
      const linked = { identity: { from: null, to: issuer } }
      if (user.record.passwordHash === null) {
        const events = [userEvent("user.updated", user.record, user.record, linked)]
        const mayChange = ids(found.all(sessionKind, "userId", userId))
        return changing<boolean | "taken">(true, [write], events, mayChange)
      }
      const { after, writes } = withNextVersion(found, user, { passwordHash: null })
      const events = [userEvent("user.updated", after, after, { ...linked, ...passwordChange })]
      return changing<boolean | "taken">(true, [write, ...writes], events)
    }
  }
}

/** Removes the identity of a deleted user, for a user of another organisation. False when there is none. */
export const releaseIdentity = (organisationId: OrganisationId, identity: Identity): Command<boolean> => ({
  ...on(identityKind, identity.subject, "ProviderUsers.release", organisationId),
  finds: findsOfSubject(identity.subject),
  rule: (found) => {
    const present = presentIn(found, identity)
    const isReleased = present !== undefined && found.byId(userKind, present.record.userId) === null
    return isReleased ? changing(true, [removing(identityKind, present)]) : unchanged(false)
  }
})

/**
 * Stores a user without password and its identity. False when the organisation is inactive, does not have the domain
 * any more or has no owner, or when address or identity exist.
 */
export const createProviderUser = (
  user: User,
  identity: Pick<IdentityRecord, "id" | "issuer" | "subject">,
  domain: string
): Command<boolean> => {
  const { createdAt, id: userId, organisationId, role } = user
  const { issuer, subject } = identity
  return {
    ...on(identityKind, subject, "ProviderUsers.create", organisationId),
    finds: [
      find(organisationKind, "id", organisationId),
      find(domainKind, "id", domain),
      find(identityKind, "subject", subject),
      find(userKind, "role", "owner")
    ],
    rule: (found) => {
      const [owner, ...owners] = found.all(userKind, "role", "owner")
      const isAllowed =
        activeOrganisation(found, organisationId) !== null &&
        found.byId(domainKind, domain) !== null &&
        (role === "owner" || owner !== undefined)
      const isTaken = found.isTaken(userKind, "login") || found.isTaken(identityKind, "subject")
      if (!isAllowed || isTaken || presentIn(found, identity) !== undefined) return unchanged(false)
      const record = newUser(user, null)
      const stored = makeUnchecked(IdentityRecord, { ...identity, organisationId, userId, createdAt })
      return changing(
        true,
        [storing(userKind, null, record), storing(identityKind, null, stored)],
        [userEvent("user.created", null, record, { identity: { from: null, to: issuer } })],
        ids(role === "owner" && owner !== undefined ? [owner, ...owners] : owners)
      )
    }
  }
}

/** Invitations that stand, those that end, and events about them. */
import { eventAbout, type Found, type Write } from "@solar-sites/core"
import { DateTime } from "effect"
import { activeOrganisation, removing } from "../Commands.ts"
import { type LinkRecord, linkKind } from "../login/LinkKind.ts"
import { type Authority, manages } from "../people/Authority.ts"
import { userKind } from "../people/UserKind.ts"

/** An event about an invitation. */
export const invitationEvent = eventAbout<LinkRecord>(["email", "role", "portfolioIds"], ({ email, id, name }) => ({
  subjectId: id,
  subjectName: name ?? email,
  siteId: null
}))

export const isOpen = ({ expiresAt, purpose }: LinkRecord, at: DateTime.Utc): boolean =>
  purpose === "invitation" && DateTime.isGreaterThan(expiresAt, at)

/** Whether an inviter may give role and limit of the invitation. Null is a deleted inviter. */
export const isGivable = (inviter: Authority | null, invitation: LinkRecord): boolean =>
  inviter !== null && manages(inviter, invitation)

export const inviterOf = (found: Found, { createdBy }: LinkRecord): Authority | null =>
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

/** The open invitations of an inviter that it may not give any more; `authority` is null of a deleted one. */
export const endedInvitations = (
  found: Found,
  inviter: string,
  authority: Authority | null,
  at: DateTime.Utc
): { readonly writes: ReadonlyArray<Write>; readonly events: ReadonlyArray<ReturnType<typeof invitationEvent>> } => {
  const made = found.all(linkKind, "createdBy", inviter)
  const ended = made.filter(({ record }) => isOpen(record, at) && !isGivable(authority, record))
  return {
    writes: ended.map((link) => removing(linkKind, link)),
    events: ended.map(({ record }) => invitationEvent("user.deleted", record, null))
  }
}

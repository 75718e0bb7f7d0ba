/**
 * Which invitations stand, and how they end (specification, section 13).
 */
import { emit, type Origin } from "../Call.ts"
import type { Instant } from "../Match.ts"
import { inOrder, type ModelState, type Organisation } from "../ModelState.ts"
import type { Invitation, Role } from "../PeopleState.ts"
import { manages } from "./Roles.ts"

/** Another organisation has claimed the domain of the address. */
export const isForeign = ({ organisations }: ModelState, own: Organisation, email: string): boolean => {
  const domain = email.slice(email.lastIndexOf("@") + 1).toLowerCase()
  return organisations.some(({ id, loginDomains }) => id !== own.id && loginDomains.includes(domain))
}

/** While the organisation is active, and no other one has the domain. */
export const stands = (
  model: ModelState,
  organisation: Organisation,
  { email, expiresAt, inviterId, role }: Invitation,
  at: Instant
): boolean => {
  const inviter = organisation.users.get(inviterId)
  return (
    organisation.status === "active" &&
    inviter !== undefined &&
    manages(inviter.role, role) &&
    at["@from"] < expiresAt["@to"] &&
    !isForeign(model, organisation, email)
  )
}

export const emitInvitation = (origin: Origin, type: string, invitation: Invitation): void => {
  const { email, id, name: invited, role } = invitation
  const change = (value: string) => (type === "invited" ? { from: null, to: value } : { from: value, to: null })
  const subject = { type: "user", id, name: invited ?? email }
  emit(origin, `user.${type}`, subject, null, { email: change(email), role: change(role) })
}

export const remove = ({ gone, invitations }: Organisation, { id }: Invitation): void => {
  invitations.delete(id)
  gone.push(id)
}

/** Ends the invitations that the inviter may no longer give; `role` is null for a deleted inviter. */
export const endInvitations = (origin: Origin, inviterId: string, role: Role | null): void => {
  const { at, organisation } = origin
  for (const invitation of inOrder(organisation.invitations)) {
    const isOpen = invitation.inviterId === inviterId && at["@from"] < invitation.expiresAt["@to"]
    if (!isOpen || (role !== null && manages(role, invitation.role))) continue
    remove(organisation, invitation)
    emitInvitation(origin, "deleted", invitation)
  }
}

/** Invitations that end, and events about them. */

import { eventAbout, type Found, type Write } from "@solar-sites/core"
import { DateTime } from "effect"
import { removing } from "../Commands.ts"
import { type LinkRecord, linkKind, type StoredLink } from "../login/LinkKind.ts"
import { mayManage, type Role } from "../people/Role.ts"

/** An event about an invitation. */
export const invitationEvent = eventAbout<LinkRecord>(["email", "role"], ({ email, id, name }) => ({
  subjectId: id,
  subjectName: name ?? email,
  siteId: null
}))

export const isOpen = ({ expiresAt, purpose }: LinkRecord, at: DateTime.Utc): boolean =>
  purpose === "invitation" && DateTime.isGreaterThan(expiresAt, at)

/** Whether an inviter with this role may give the role of the invitation. */
export const isGivable = (inviter: Role | null, { role }: LinkRecord): boolean =>
  inviter !== null && role !== null && mayManage(inviter, role)

/** The open invitations of an inviter that it may not give any more; `role` is null of a deleted one. */
export const endedInvitations = (
  found: Found,
  inviter: string,
  role: Role | null,
  at: DateTime.Utc
): { readonly writes: ReadonlyArray<Write>; readonly events: ReadonlyArray<ReturnType<typeof invitationEvent>> } => {
  const ended: ReadonlyArray<StoredLink> = found
    .all(linkKind, "createdBy", inviter)
    .filter(({ record }) => isOpen(record, at) && !isGivable(role, record))
  return {
    writes: ended.map((link) => removing(linkKind, link)),
    events: ended.map(({ record }) => invitationEvent("user.deleted", record, null))
  }
}

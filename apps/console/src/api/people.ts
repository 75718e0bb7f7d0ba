/**
 * The users of the organisation, their invitations and what their roles allow.
 */
import type { Answer } from "./ask.ts"

export type Person = Answer<"GET /console/users">["data"][number]

export type Role = Person["role"]

export type Invitation = Answer<"GET /console/invitations">["data"][number]

/** `link` is null when it was sent by mail. Only this answer contains it. */
export type IssuedInvitation = Answer<"POST /console/invitations">

/** From most to least. */
export const roles: ReadonlyArray<Role> = ["owner", "admin", "member", "viewer"]

/** True if users of the role `manager` may change users of the role `managed`, and give it. */
export const mayManage = (manager: Role, managed: Role): boolean =>
  manager === "owner" || (manager === "admin" && managed !== "owner")

/** True if the role manages other users at all. */
export const isManager = (role: Role): boolean => mayManage(role, "viewer")

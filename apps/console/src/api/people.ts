/**
 * The users of the organisation and their invitations.
 */
import { exchange } from "./exchange.ts"

/** From most to least. */
export const roles = ["owner", "admin", "member", "viewer"] as const
export type Role = (typeof roles)[number]

export interface Person {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly role: Role
  readonly createdAt: string
  readonly secondFactor: boolean
  /** Null before the first login, and when it is older than the kept events. */
  readonly lastLoginAt: string | null
}

export interface Invitation {
  readonly id: string
  readonly email: string
  readonly name: string | null
  readonly role: Role
  readonly createdAt: string
  readonly expiresAt: string
  /** Acceptance by the mail server; null before it and without mail. */
  readonly mailedAt: string | null
}

/** `link` is null when it was sent by mail. Only this answer contains it. */
export interface IssuedInvitation extends Invitation {
  readonly link: string | null
}

export interface NewInvitation {
  readonly email: string
  readonly role: Role
}

interface Listed<A> {
  readonly data: ReadonlyArray<A>
}

/** True if users of the role `manager` may change users of the role `managed`, and give it. */
export const mayManage = (manager: Role, managed: Role): boolean =>
  manager === "owner" || (manager === "admin" && managed !== "owner")

/** True if the role manages other users at all. */
export const isManager = (role: Role): boolean => mayManage(role, "viewer")

const users = "/console/users"
const invitations = "/console/invitations"

const pathOf = (collection: string, id: string): string => `${collection}/${encodeURIComponent(id)}`

export const listPeople = () => exchange<Listed<Person>>({ method: "GET", path: users })
export const changeRole = (id: string, role: Role) =>
  exchange<Person>({ method: "PUT", path: pathOf(users, id), body: { role } })
export const removePerson = (id: string) => exchange<void>({ method: "DELETE", path: pathOf(users, id) })
export const endSessionsOf = (id: string) => exchange<void>({ method: "DELETE", path: `${pathOf(users, id)}/sessions` })
export const resetSecondFactorOf = (id: string) =>
  exchange<void>({ method: "DELETE", path: `${pathOf(users, id)}/second-factor` })

export const listInvitations = () => exchange<Listed<Invitation>>({ method: "GET", path: invitations })
export const invite = (body: NewInvitation) => exchange<IssuedInvitation>({ method: "POST", path: invitations, body })
export const resendInvitation = (id: string) =>
  exchange<IssuedInvitation>({ method: "POST", path: `${pathOf(invitations, id)}/resend` })
export const withdrawInvitation = (id: string) => exchange<void>({ method: "DELETE", path: pathOf(invitations, id) })

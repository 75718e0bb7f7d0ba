/**
 * Roles of users, answers to users without the needed one, and which invitations stand and how they end
 * (specification, section 13).
 */
import { type ApiScope, apiScopes } from "@solar-sites/core"
import { type Expected, emit, type Origin, type Rule, refused, type Turn } from "../Call.ts"
import type { Instant } from "../Match.ts"
import { inOrder, type ModelState, type Organisation } from "../ModelState.ts"
import { type Invitation, type Key, type Role, roles, type User } from "../PeopleState.ts"

const memberWrites = ["sites:write", "portfolios:write", "documents:write", "documents:approve"]

export const scopesOf = (role: Role): ReadonlyArray<ApiScope> => {
  if (role === "owner" || role === "admin") return apiScopes
  return apiScopes.filter((scope) => scope.endsWith(":read") || (role === "member" && memberWrites.includes(scope)))
}

/** A key of a user has at most the scopes of the role. */
export const scopesOfKey = ({ users }: Organisation, { createdBy, scopes }: Key): ReadonlyArray<ApiScope> => {
  const owner = users.get(createdBy ?? "")
  return owner === undefined ? scopes : scopes.filter((scope) => scopesOf(owner.role).includes(scope))
}

/** Admins manage all but owners. */
export const manages = (manager: Role, managed: Role): boolean =>
  manager === "owner" || (manager === "admin" && managed !== "owner")

export const isManager = ({ role }: User): boolean => manages(role, "viewer")

/** The same role, or one that allows less. */
export const isAtMost = (role: Role, from: Role): boolean => roles.indexOf(role) >= roles.indexOf(from)

export const roleInsufficient = refused(403, "role_insufficient")

export const userOf = ({ caller: { userId }, organisation }: Turn): User => {
  const user = organisation.users.get(userId ?? "")
  if (user === undefined) throw new Error("the session has no user")
  return user
}

export const forManager =
  (rule: (turn: Turn, user: User) => Expected): Rule =>
  (turn) => {
    const user = userOf(turn)
    return isManager(user) ? rule(turn, user) : roleInsufficient
  }

/** Equal for one account, in any case of letters. */
export const loginOf = (email: string): string => email.normalize("NFKC").trim().toLowerCase()

export interface UserPlace {
  readonly organisation: Organisation
  readonly user: User
}

export const usersOf = ({ organisations }: ModelState): ReadonlyArray<UserPlace> =>
  organisations.flatMap((organisation) => [...organisation.users.values()].map((user) => ({ organisation, user })))

/** The user with the e-mail address, of any organisation. */
export const withLogin = (model: ModelState, email: string): UserPlace | undefined =>
  usersOf(model).find(({ user }) => loginOf(user.email) === loginOf(email))

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

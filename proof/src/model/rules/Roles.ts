/**
 * Roles of users, and answers to users without the needed one (specification, section 13).
 */
import type { ApiScope } from "@solar-sites/core"
import { type Expected, type Rule, refused, type Turn } from "../Call.ts"
import type { Organisation } from "../ModelState.ts"
import { allScopes } from "../operations.ts"
import type { Key, Role, User } from "../PeopleState.ts"

export const roles = ["owner", "admin", "member", "viewer"] as const satisfies ReadonlyArray<Role>

const memberWrites = ["sites:write", "portfolios:write", "documents:write", "documents:approve"]

export const scopesOf = (role: Role): ReadonlyArray<ApiScope> => {
  if (role === "owner" || role === "admin") return allScopes
  return allScopes.filter((scope) => scope.endsWith(":read") || (role === "member" && memberWrites.includes(scope)))
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

/** The user of a session. */
export const userOf = ({ caller: { userId }, organisation }: Turn): User => {
  const user = organisation.users.get(userId ?? "")
  if (user === undefined) throw new Error("the session has no user")
  return user
}

/** A rule for owners and admins. */
export const forManager =
  (rule: (turn: Turn, user: User) => Expected): Rule =>
  (turn) => {
    const user = userOf(turn)
    return isManager(user) ? rule(turn, user) : roleInsufficient
  }

/** Equal for one account, in any case of letters. */
export const loginOf = (email: string): string => email.normalize("NFKC").trim().toLowerCase()

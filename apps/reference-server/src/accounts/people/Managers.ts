/** Managers of users, and the owners that an organisation keeps. */
import type { Find, Found, PortfolioLimit, UserId } from "@solar-sites/core"
import { Result } from "effect"
import { find, ids } from "../Commands.ts"
import { linkKind } from "../login/LinkKind.ts"
import { type Authority, isSeenBy } from "./Authority.ts"
import { insufficientFor, isAtMost, managedBy, mayManage, Role, RoleInsufficient } from "./Role.ts"
import { UserNotFound } from "./User.ts"
import { type StoredUser, userKind } from "./UserKind.ts"

/** The acting user with the role and the limit that its session had. */
export type Manager = (Authority & { readonly id: UserId }) | "operator"

/** The owners beside a user. A decision depends on the first one alone: it stays as it is until the commit. */
export const otherOwners = (found: Found, userId: UserId) => {
  const [first, ...others] = found.all(userKind, "role", "owner").filter(({ record }) => record.id !== userId)
  return { first, mayChange: ids(others), all: first === undefined ? [] : ids([first, ...others]) }
}

/** The roles of other users that the manager may change; of itself only its own. */
const changeableBy = (by: Manager, userId: UserId, canChangeItself: boolean): ReadonlyArray<Role> => {
  if (by === "operator") return Role.literals
  if (by.id === userId && canChangeItself) return [by.role]
  return managedBy(by.role)
}

export const mayGive = (by: Manager, userId: UserId, role: Role): boolean =>
  by === "operator" || (by.id === userId ? isAtMost(role, by.role) : mayManage(by.role, role))

/** True if the manager may change limits: its own too, which no other user may. */
export const mayLimit = (by: Manager): boolean => by === "operator" || mayManage(by.role, "viewer")

export const insufficient = (by: Manager, role?: Role) =>
  by === "operator" || role === "owner" ? new RoleInsufficient({ needed: "owner" }) : insufficientFor(by.role)

/** The limit that the manager has now. */
export const limitOf = (found: Found, by: Manager): PortfolioLimit => {
  if (by === "operator") return null
  const manager = found.byId(userKind, by.id)?.record
  return manager === undefined ? by.portfolioIds : manager.portfolioIds
}

/** The user, when it is there for the manager, who may change it and still has the role of its session. */
export const changeable = (
  found: Found,
  userId: UserId,
  by: Manager,
  canChangeItself: boolean
): Result.Result<StoredUser, UserNotFound | RoleInsufficient> => {
  const user = found.byId(userKind, userId)
  const isSelf = by !== "operator" && by.id === userId
  if (user === null || !(isSelf || isSeenBy({ portfolioIds: limitOf(found, by) }, user.record))) {
    return Result.fail(new UserNotFound({ userId }))
  }
  const isManager = by === "operator" || found.byId(userKind, by.id)?.record.role === by.role
  const isAllowed = isManager && changeableBy(by, userId, canChangeItself).includes(user.record.role)
  return isAllowed ? Result.succeed(user) : Result.fail(insufficient(by))
}

/** The user, its manager, the owners, and the invitations of the user. */
export const findsManaged = (userId: UserId, by: Manager): ReadonlyArray<Find> => [
  find(userKind, "id", ...new Set(by === "operator" ? [userId] : [userId, by.id])),
  find(userKind, "role", "owner"),
  find(linkKind, "createdBy", userId)
]

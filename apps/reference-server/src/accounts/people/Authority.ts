/** What a user may manage of others: users and invitations of some roles, within its own portfolios. */
import {
  CallerLimited,
  type Find,
  type Found,
  isReached,
  isWithinLimit,
  type OrganisationId,
  type PortfolioLimit,
  PortfoliosNotFound,
  portfolioReference,
  type UserId
} from "@solar-sites/core"
import { Array as Arr, Result } from "effect"
import { find, ids } from "../Commands.ts"
import { linkKind } from "../login/LinkKind.ts"
import { insufficientFor, isAtMost, mayManage, type Role, RoleInsufficient } from "./Role.ts"
import { OwnerLimited, UserNotFound } from "./User.ts"
import { type StoredUser, userKind } from "./UserKind.ts"

/** Role and limit of a user. */
export interface Authority {
  readonly role: Role
  readonly portfolioIds: PortfolioLimit
}

/** A user or an invitation. Every invitation has a role. */
type Managed = Pick<Authority, "portfolioIds"> & { readonly role: Role | null }

/** Whether a user or an invitation is there for a user. For a limited one those are absent that reach more than it does. */
export const isSeenBy = (
  { portfolioIds: limit }: Pick<Authority, "portfolioIds">,
  { portfolioIds }: Pick<Authority, "portfolioIds">
): boolean => isWithinLimit(portfolioIds, limit)

/** True if a user may create, change and delete such users and invitations, and give their role and limit. */
export const manages = (manager: Authority, managed: Managed): boolean =>
  managed.role !== null && mayManage(manager.role, managed.role) && isSeenBy(manager, managed)

/** The portfolios that `checkLimit` reads. */
export const findsPortfolios = (portfolioIds: PortfolioLimit | undefined): ReadonlyArray<Find> =>
  portfolioIds == null ? [] : [find(portfolioReference, "id", ...portfolioIds)]

/** Why a limit is not given. */
export type LimitRefusal = CallerLimited | PortfoliosNotFound | OwnerLimited

/** Fails when a user with the limit `own` may not give the limit. Portfolios outside of `own` are absent. */
export const checkLimit = (
  found: Found,
  { portfolioIds, role }: Authority,
  own: PortfolioLimit
): Result.Result<void, LimitRefusal> => {
  if (portfolioIds === null) return own === null ? Result.void : Result.fail(new CallerLimited())
  const missing = portfolioIds.filter(
    (id) => found.byId(portfolioReference, id) === null || !isReached({ portfolioIds: own }, id)
  )
  if (Arr.isArrayNonEmpty(missing)) return Result.fail(new PortfoliosNotFound({ portfolioIds: missing }))
  return role === "owner" ? Result.fail(new OwnerLimited()) : Result.void
}

/** The acting user with the role and the limit that its session had. */
export interface Manager extends Authority {
  readonly id: UserId | null
  readonly organisationId: OrganisationId
}

/** The operator manages all users of an organisation, and is none. */
export const operatorOf = (organisationId: OrganisationId): Manager => ({
  id: null,
  organisationId,
  role: "owner",
  portfolioIds: null
})

/** The owners beside a user. A decision depends on the first one alone: it stays as it is until the commit. */
export const otherOwners = (found: Found, userId: UserId) => {
  const [first, ...others] = found.all(userKind, "role", "owner").filter(({ record }) => record.id !== userId)
  return { first, mayChange: ids(others), all: first === undefined ? [] : ids([first, ...others]) }
}

export const mayGive = (by: Manager, userId: UserId, role: Role): boolean =>
  by.id === userId ? isAtMost(role, by.role) : mayManage(by.role, role)

/** True if the manager may change limits: its own too, which no other user may. */
export const mayLimit = (by: Manager): boolean => mayManage(by.role, "viewer")

export const insufficient = (by: Manager, role?: Role) =>
  role === "owner" ? new RoleInsufficient({ needed: "owner" }) : insufficientFor(by.role)

/** The limit that the manager has now. */
export const limitOf = (found: Found, by: Manager): PortfolioLimit =>
  (found.byId(userKind, by.id)?.record ?? by).portfolioIds

/** The user, when it is there for the manager, who may change it and still has the role of its session. */
export const changeable = (
  found: Found,
  userId: UserId,
  by: Manager,
  canChangeItself: boolean
): Result.Result<StoredUser, UserNotFound | RoleInsufficient> => {
  const user = found.byId(userKind, userId)
  if (user === null || !(by.id === userId || isSeenBy({ portfolioIds: limitOf(found, by) }, user.record))) {
    return Result.fail(new UserNotFound({ userId }))
  }
  const isManager = by.id === null || found.byId(userKind, by.id)?.record.role === by.role
  const { role } = user.record
  const isAllowed = by.id === userId && canChangeItself ? role === by.role : mayManage(by.role, role)
  return isManager && isAllowed ? Result.succeed(user) : Result.fail(insufficient(by))
}

/** The user, when it is there for the manager and the role of the manager may manage it. */
export const managed = (
  found: Found,
  userId: UserId,
  by: Manager
): Result.Result<StoredUser, UserNotFound | RoleInsufficient> => {
  const user = found.byId(userKind, userId)
  if (user === null || !isSeenBy(by, user.record)) return Result.fail(new UserNotFound({ userId }))
  return mayManage(by.role, user.record.role) ? Result.succeed(user) : Result.fail(insufficientFor(by.role))
}

/** The user, its manager, the owners, and the invitations of the user. */
export const findsManaged = (userId: UserId, by: Manager): ReadonlyArray<Find> => [
  find(userKind, "id", ...new Set([userId, by.id ?? userId])),
  find(userKind, "role", "owner"),
  find(linkKind, "createdBy", userId)
]

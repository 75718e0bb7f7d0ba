/** What a user may manage of others: users and invitations of some roles, within its own portfolios. */
import {
  CallerLimited,
  type Find,
  type Found,
  isReached,
  isWithinLimit,
  type PortfolioLimit,
  PortfoliosNotFound,
  portfolioReference
} from "@solar-sites/core"
import { Array as Arr, Effect, Result } from "effect"
import { find } from "../Commands.ts"
import { mayManage, type Role } from "./Role.ts"
import { OwnerLimited } from "./User.ts"

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

/** For changes that give no limit. */
export const noLimitRefusals = {
  CallerLimited: Effect.die,
  PortfoliosNotFound: Effect.die,
  OwnerLimited: Effect.die
}

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

/**
 * What an administrator changes about the access of a user.
 */
import type { Person } from "../api/people.ts"
import type { PortfolioLimit } from "../portfolios/portfolioLimit.ts"

export type UserAccess = Pick<Person, "portfolioIds" | "role">

/** Members that differ, empty without a change. `own` is the limit of the acting user, who can give no more. */
export const changeOfAccess = (
  before: UserAccess,
  now: UserAccess,
  own: PortfolioLimit
): { readonly role?: UserAccess["role"]; readonly portfolioIds?: PortfolioLimit } => {
  // The server refuses a limited owner, and null of a limited user.
  const wanted = now.role === "owner" ? null : (now.portfolioIds ?? own)
  const isSame = JSON.stringify(wanted) === JSON.stringify(before.portfolioIds)
  return {
    ...(now.role === before.role ? {} : { role: now.role }),
    ...(isSame ? {} : { portfolioIds: wanted })
  }
}

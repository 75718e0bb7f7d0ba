/**
 * Immutable portfolios, and their totals.
 */
import { makeUnchecked, Portfolio, type PortfolioId, type Site, totalCapacityKw } from "@solar-sites/core"
import type { Owned } from "./MemoryDatabase.ts"

/** A frozen copy. */
export const frozenPortfolio = (members: Pick<Portfolio, keyof Portfolio>): Portfolio =>
  Object.freeze(makeUnchecked(Portfolio, members))

export const sitesOf = ({ sites }: Owned, portfolioId: PortfolioId): ReadonlyArray<Site> =>
  [...sites.values()].filter((site) => site.portfolioId === portfolioId)

/** The portfolio with the totals of its sites. */
export const withTotals = (owned: Owned, portfolio: Portfolio): Portfolio => {
  const sites = sitesOf(owned, portfolio.id)
  return frozenPortfolio({ ...portfolio, siteCount: sites.length, capacityKw: totalCapacityKw(sites) })
}

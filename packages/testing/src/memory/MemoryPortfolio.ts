/**
 * Immutable portfolios, and their totals.
 */
import { makeUnchecked, Portfolio, type PortfolioId, type Site } from "@solar-sites/core"
import type { Owned } from "./MemoryDatabase.ts"

/** A frozen copy. */
export const frozenPortfolio = (members: Pick<Portfolio, keyof Portfolio>): Portfolio =>
  Object.freeze(makeUnchecked(Portfolio, members))

export const sitesOf = ({ sites }: Owned, portfolioId: PortfolioId): ReadonlyArray<Site> =>
  [...sites.values()].filter((site) => site.portfolioId === portfolioId)

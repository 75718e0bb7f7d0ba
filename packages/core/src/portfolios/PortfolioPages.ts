/**
 * Lists of portfolios in memory, for adapters that read all portfolios and sites of an organisation.
 */

import type { PortfolioId } from "../caller/PortfolioId.ts"
import { isReached, type Reach, reachParts } from "../caller/Reach.ts"
import { byId, isAfter, isFound, sortedPageOf, takePage } from "../lists/ItemPages.ts"
import { allConditionsRead, type Page } from "../lists/Page.ts"
import type { SortedPageRequest } from "../lists/Sorting.ts"
import { makeUnchecked } from "../records/MakeUnchecked.ts"
import { totalCapacityKw } from "../sites/Capacity.ts"
import type { Site } from "../sites/Site.ts"
import { Portfolio, type PortfolioConditions, type PortfolioSort } from "./Portfolio.ts"
import { type PortfolioSlice, portfolioSortKeys, type SlicePosition } from "./PortfolioRepository.ts"

/** The portfolios within a reach. */
export const portfoliosWithin = (reach: Reach, portfolios: Iterable<Portfolio>): ReadonlyArray<Portfolio> =>
  [...portfolios].filter(({ id }) => isReached(reachParts(reach), id))

/** The portfolio with the totals of its sites. */
export const withTotals = (portfolio: Portfolio, sites: ReadonlyArray<Site>): Portfolio =>
  makeUnchecked(Portfolio, { ...portfolio, siteCount: sites.length, capacityKw: totalCapacityKw(sites) })

/** `PortfolioRepository.list` over the given portfolios. No order and no condition uses totals. */
export const pageOfPortfolios = (
  portfolios: Iterable<Portfolio>,
  { externalId, q, updatedAfter, ...rest }: PortfolioConditions,
  page: SortedPageRequest<PortfolioId, PortfolioSort>,
  maximumBytes: number
): Page<Portfolio> => {
  allConditionsRead(rest)
  const matching = [...portfolios].filter(
    (portfolio) =>
      (externalId === undefined || portfolio.externalId === externalId) &&
      isAfter(portfolio.updatedAt, updatedAfter) &&
      isFound(q, portfolio.name, portfolio.externalId)
  )
  return sortedPageOf(matching, page, portfolioSortKeys, maximumBytes)
}

/** A row that counts against the limit: a site, or a portfolio without sites. */
interface Row {
  readonly portfolio: Portfolio
  readonly site: Site | null
}

const isFollowing = ({ portfolio, site }: Row, after: SlicePosition | null): boolean => {
  if (after === null || portfolio.id > after.portfolioId) return true
  return portfolio.id === after.portfolioId && after.siteId !== null && site !== null && site.id > after.siteId
}

/** `PortfolioRepository.listWithSites` over the given portfolios and sites. */
export const pageOfSlices = (
  portfolios: Iterable<Portfolio>,
  sites: Iterable<Site>,
  { after, limit }: { readonly after: SlicePosition | null; readonly limit: number },
  maximumBytes: number
): Page<PortfolioSlice> => {
  const members = Map.groupBy([...sites].sort(byId), ({ portfolioId }) => portfolioId)
  const rows = [...portfolios].sort(byId).flatMap((portfolio): ReadonlyArray<Row> => {
    const own = members.get(portfolio.id) ?? []
    const shown = withTotals(portfolio, own)
    return own.length === 0 ? [{ portfolio: shown, site: null }] : own.map((site) => ({ portfolio: shown, site }))
  })
  const following = rows.filter((row) => isFollowing(row, after))
  const page = takePage(following, limit, maximumBytes)
  const slices: Array<PortfolioSlice & { readonly sites: Array<Site> }> = []
  for (const { portfolio, site } of page.items) {
    const { id: portfolioId } = portfolio
    if (slices.at(-1)?.portfolioId !== portfolioId) {
      slices.push({ portfolioId, portfolio: portfolioId === after?.portfolioId ? null : portfolio, sites: [] })
    }
    if (site !== null) slices.at(-1)?.sites.push(site)
  }
  return { items: slices, hasMore: page.hasMore }
}

/**
 * Pages of portfolios with their sites for the in-memory adapter.
 */
import type { Page, Portfolio, PortfolioSlice, Site, SlicePosition } from "@solar-sites/core"
import { byId, takePage } from "./MemoryDatabase.ts"

/** A row that counts against the limit: a site, or a portfolio without sites. */
interface Row {
  readonly portfolio: Portfolio
  readonly site: Site | null
}

const isAfter = ({ portfolio, site }: Row, after: SlicePosition | null): boolean => {
  if (after === null || portfolio.id > after.portfolioId) return true
  return portfolio.id === after.portfolioId && after.siteId !== null && site !== null && site.id > after.siteId
}

const rowsOf = (portfolio: Portfolio, sites: ReadonlyArray<Site>): ReadonlyArray<Row> => {
  const members = sites.filter(({ portfolioId }) => portfolioId === portfolio.id).sort(byId)
  return members.length === 0 ? [{ portfolio, site: null }] : members.map((site) => ({ portfolio, site }))
}

/** At most `limit` rows after the position, grouped by portfolio. */
export const slicesOf = (
  portfolios: ReadonlyArray<Portfolio>,
  sites: ReadonlyArray<Site>,
  { after, bytes, limit }: { readonly after: SlicePosition | null; readonly limit: number; readonly bytes: number }
): Page<PortfolioSlice> => {
  const rows = [...portfolios].sort(byId).flatMap((portfolio) => rowsOf(portfolio, sites))
  const page = takePage(
    rows.filter((row) => isAfter(row, after)),
    limit,
    bytes
  )
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

/**
 * Exact number of the sites that the filters find, where a total is kept: of all sites, of a portfolio
 * and of those in none. Undefined for other filters.
 */
import type { Portfolio } from "@solar-sites/http-node/client"
import type { OrganisationOverview } from "../api/Console.ts"
import type { SiteFilters } from "./siteFilters.ts"

type Totals = Pick<OrganisationOverview, "siteCount" | "withoutPortfolio">

export const siteTotalOf = (
  { health, portfolio, search, tags, unit }: Omit<SiteFilters, "sort" | "descending" | "asMap">,
  overview: Totals | undefined,
  portfolios: ReadonlyArray<Pick<Portfolio, "id" | "siteCount">>
): number | undefined => {
  if (search.trim() !== "" || tags.length > 0 || unit !== null || health !== null) return undefined
  if (portfolio === "all") return overview?.siteCount
  if (portfolio === "none") return overview?.withoutPortfolio.siteCount
  return portfolios.find(({ id }) => id === portfolio)?.siteCount
}

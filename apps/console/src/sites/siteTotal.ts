/**
 * Exact number of the sites that the filters find. A total is kept of all sites, of a portfolio and of
 * those in none; sites of other filters are counted on the map, which reads no site.
 */
import type { Portfolio } from "@solar-sites/http-node/client"
import type { OrganisationOverview } from "../api/Console.ts"
import type { SiteFilters } from "./siteFilters.ts"
import { isNoPortfolio, queryOf } from "./siteRequest.ts"

type Conditions = Omit<SiteFilters, "sort" | "descending" | "asMap">

const isCounted = ({ search, tags, unit }: Conditions): boolean =>
  search.trim() !== "" || tags.length > 0 || unit !== null

/** Conditions of the sites to count. Undefined where a total is kept, and for a health, which the map does not find. */
export const countedQueryOf = (filters: SiteFilters) => {
  if (!isCounted(filters) || filters.health !== null || isNoPortfolio(filters)) return undefined
  const { order: _, sort: __, ...conditions } = queryOf(filters)
  return filters.portfolio === "none" ? { ...conditions, portfolioId: "none" as const } : conditions
}

type Totals = Pick<OrganisationOverview, "siteCount" | "withoutPortfolio">

/** Undefined for filters of which no total is kept. */
export const siteTotalOf = (
  conditions: Conditions,
  overview: Totals | undefined,
  portfolios: ReadonlyArray<Pick<Portfolio, "id" | "siteCount">>
): number | undefined => {
  const { health, portfolio } = conditions
  if (isCounted(conditions) || health !== null) return undefined
  if (portfolio === "all") return overview?.siteCount
  if (portfolio === "none") return overview?.withoutPortfolio.siteCount
  return portfolios.find(({ id }) => id === portfolio)?.siteCount
}

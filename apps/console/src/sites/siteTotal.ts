/**
 * Exact number of the sites that the filters find. A total is kept of all sites, of a portfolio and of
 * those in none; sites of other filters are counted as on the map, which reads no site.
 */
import type { Portfolio } from "@solar-sites/http-node/client"
import type { OrganisationOverview } from "../api/Console.ts"
import type { SiteFilters } from "./siteFilters.ts"

type Conditions = Omit<SiteFilters, "sort" | "descending" | "asMap">

const isNarrowed = ({ search, tags, unit }: Conditions): boolean =>
  search.trim() !== "" || tags.length > 0 || unit !== null

/** True where no total is kept. Sites of a health are not counted unasked: that reads the documents of all sites. */
export const isCounted = (conditions: Conditions): boolean => isNarrowed(conditions) && conditions.health === null

type Totals = Pick<OrganisationOverview, "siteCount" | "withoutPortfolio">

/** Undefined for filters of which no total is kept. */
export const siteTotalOf = (
  conditions: Conditions,
  overview: Totals | undefined,
  portfolios: ReadonlyArray<Pick<Portfolio, "id" | "siteCount">>
): number | undefined => {
  const { health, portfolio } = conditions
  if (isNarrowed(conditions) || health !== null) return undefined
  if (portfolio === "all") return overview?.siteCount
  if (portfolio === "none") return overview?.withoutPortfolio.siteCount
  return portfolios.find(({ id }) => id === portfolio)?.siteCount
}

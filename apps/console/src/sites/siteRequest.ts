/**
 * The filters of sites as query of the API.
 */
import { isUuid } from "../lists/isUuid.ts"
import type { SiteFilters } from "./siteFilters.ts"

/** A portfolio id of a mistyped link is a portfolio without sites, as one that does not exist. */
export const isNoPortfolio = ({ portfolio }: SiteFilters): boolean =>
  portfolio !== "all" && portfolio !== "none" && !isUuid(portfolio)

const ofPortfolio = ({ portfolio }: SiteFilters) =>
  portfolio === "all" || portfolio === "none" ? {} : { portfolioId: portfolio }

/** Sites of one health are sorted by name. */
export const queryOf = (filters: SiteFilters) => {
  const { descending, search, sort, tags, unit } = filters
  const q = search.trim()
  return {
    ...ofPortfolio(filters),
    ...(q === "" ? {} : { q }),
    ...(tags.length === 0 ? {} : { tag: tags }),
    ...(unit === null ? {} : { unit }),
    sort: sort === "health" ? ("siteName" as const) : sort,
    order: descending ? ("desc" as const) : ("asc" as const)
  }
}

/** Path of the found sites as CSV; undefined for filters that the API does not have. */
export const csvPathOf = (filters: SiteFilters): string | undefined => {
  const { health, portfolio } = filters
  if (health !== null || portfolio === "none" || isNoPortfolio(filters)) return undefined
  const { tag = [], ...query } = queryOf(filters)
  return `/api/sites?${new URLSearchParams([...Object.entries(query), ...tag.map((one) => ["tag", one])])}`
}

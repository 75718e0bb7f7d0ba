/**
 * The filters of sites as query of the server.
 */
import { isUuid } from "../lists/isUuid.ts"
import type { SiteFilters } from "./siteFilters.ts"

/** A portfolio id of a mistyped link is a portfolio without sites, as one that does not exist. */
export const isNoPortfolio = ({ portfolio }: Pick<SiteFilters, "portfolio">): boolean =>
  portfolio !== "all" && portfolio !== "none" && !isUuid(portfolio)

/** Conditions of the found sites. The console's own endpoints have all of them; the API has no `health` and no portfolio `none`. */
export const conditionsOf = ({ health, portfolio, search, tags, unit }: SiteFilters) => {
  const q = search.trim()
  return {
    ...(portfolio === "all" ? {} : { portfolioId: portfolio }),
    ...(q === "" ? {} : { q }),
    ...(tags.length === 0 ? {} : { tag: tags }),
    ...(unit === null ? {} : { unit }),
    ...(health === null ? {} : { health })
  }
}

/** Sites of one health are sorted by name. */
export const orderOf = ({ descending, sort }: SiteFilters) => ({
  sort: sort === "health" ? ("siteName" as const) : sort,
  order: descending ? ("desc" as const) : ("asc" as const)
})

/** Path of the found sites as CSV; undefined for a portfolio that is none. */
export const csvPathOf = (filters: SiteFilters): string | undefined => {
  if (isNoPortfolio(filters)) return undefined
  const { tag = [], ...query } = conditionsOf(filters)
  const members = [...Object.entries(query), ...Object.entries(orderOf(filters)), ...tag.map((one) => ["tag", one])]
  return `/sites/csv?${new URLSearchParams(members)}`
}

/**
 * Filters and order of the list of sites, as they stand in the address.
 */
import type { Site } from "@solar-sites/http-node/client"
import { type Health, healths } from "../health/Health.ts"
import type { FilterCodec } from "../lists/useListAddress.ts"
import { isUnit } from "./units.ts"

const sorts = ["siteName", "capacityKw", "createdAt", "updatedAt", "health"] as const
export type SiteSort = (typeof sorts)[number]

export interface SiteFilters {
  readonly search: string
  /** An id, `none` for sites in no portfolio, or `all`. */
  readonly portfolio: string
  /** All must be there. */
  readonly tags: ReadonlyArray<string>
  readonly unit: Site["unit"] | null
  readonly health: Health | null
  readonly sort: SiteSort
  readonly descending: boolean
  readonly asMap: boolean
}

export const siteFilters: FilterCodec<SiteFilters> = {
  read: (parameters) => {
    const unit = parameters.get("unit")
    return {
      search: parameters.get("search") ?? "",
      portfolio: parameters.get("portfolio") ?? "all",
      tags: parameters.getAll("tag"),
      unit: isUnit(unit) ? unit : null,
      health: healths.find((health) => health === parameters.get("health")) ?? null,
      sort: sorts.find((sort) => sort === parameters.get("sort")) ?? "siteName",
      descending: parameters.get("order") === "desc",
      asMap: parameters.get("view") === "map"
    }
  },
  written: ({ asMap, descending, health, portfolio, search, sort, tags, unit }) => ({
    ...(search === "" ? {} : { search }),
    ...(portfolio === "all" ? {} : { portfolio }),
    ...(tags.length === 0 ? {} : { tag: [...tags] }),
    ...(unit === null ? {} : { unit }),
    ...(health === null ? {} : { health }),
    ...(sort === "siteName" ? {} : { sort }),
    ...(descending ? { order: "desc" } : {}),
    ...(asMap ? { view: "map" } : {})
  })
}

/** Filters on the page of one portfolio, without those that have no input there. */
export const filtersWithin = (portfolioId: string): FilterCodec<SiteFilters> => ({
  read: (parameters) => ({
    ...siteFilters.read(parameters),
    portfolio: portfolioId,
    tags: [],
    unit: null,
    health: null
  }),
  written: (filters) => siteFilters.written({ ...filters, portfolio: "all" })
})

export const isFiltered = ({ health, portfolio, search, tags, unit }: SiteFilters): boolean =>
  search.trim() !== "" || portfolio !== "all" || tags.length > 0 || unit !== null || health !== null

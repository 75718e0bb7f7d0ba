/**
 * Search and order of the list of portfolios, as they stand in the address.
 */
import type { FilterCodec } from "../lists/useListAddress.ts"

const sorts = ["name", "createdAt", "updatedAt"] as const
export type PortfolioSort = (typeof sorts)[number]

export interface PortfolioFilters {
  readonly search: string
  readonly sort: PortfolioSort
  readonly descending: boolean
}

export const portfolioFilters: FilterCodec<PortfolioFilters> = {
  read: (parameters) => ({
    search: parameters.get("search") ?? "",
    sort: sorts.find((sort) => sort === parameters.get("sort")) ?? "name",
    descending: parameters.get("order") === "desc"
  }),
  written: ({ descending, search, sort }) => ({
    ...(search === "" ? {} : { search }),
    ...(sort === "name" ? {} : { sort }),
    ...(descending ? { order: "desc" } : {})
  })
}

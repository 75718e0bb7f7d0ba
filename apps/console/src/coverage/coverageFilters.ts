/**
 * Filters of the coverage, as they stand in the address and as query of the API.
 */
import type { Document, ListCoverage, ListSites } from "@solar-sites/http-node/client"
import { isDocumentType } from "../documents/Purpose.ts"
import { isCoverageState } from "../health/Health.ts"
import { isUuid } from "../lists/isUuid.ts"
import type { FilterCodec } from "../lists/useListAddress.ts"
import type { CoverageState } from "../texts/en/health.ts"

export interface CoverageFilters {
  /** An id, or `all`. */
  readonly portfolio: string
  /** With a document type too, one item has both. */
  readonly state: CoverageState | null
  readonly documentType: Document["documentType"]
  /** A day `YYYY-MM-DD`; empty for today. */
  readonly asOf: string
  readonly search: string
  /** Order of the names of sites; null for the oldest site first. */
  readonly order: "asc" | "desc" | null
}

const orders = ["asc", "desc"] as const

const isDay = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))

export const coverageFilters: FilterCodec<CoverageFilters> = {
  read: (parameters) => {
    const portfolio = parameters.get("portfolio") ?? ""
    const state = parameters.get("state")
    const documentType = parameters.get("documentType")
    const asOf = parameters.get("asOf") ?? ""
    return {
      portfolio: isUuid(portfolio) ? portfolio : "all",
      state: isCoverageState(state) ? state : null,
      documentType: isDocumentType(documentType) ? documentType : null,
      asOf: isDay(asOf) ? asOf : "",
      search: parameters.get("search") ?? "",
      order: orders.find((order) => order === parameters.get("order")) ?? null
    }
  },
  written: ({ asOf, documentType, order, portfolio, search, state }) => ({
    ...(portfolio === "all" ? {} : { portfolio }),
    ...(state === null ? {} : { state }),
    ...(documentType === null ? {} : { documentType }),
    ...(asOf === "" ? {} : { asOf }),
    ...(search === "" ? {} : { search }),
    ...(order === null ? {} : { order })
  })
}

/** The API searches and orders sites, or selects them by documents and day. The later choice counts. */
export const alone = (changes: Partial<CoverageFilters>): Partial<CoverageFilters> => {
  const { asOf = "", documentType = null, order = null, search = "", state = null } = changes
  if (search !== "" || order !== null) return { ...changes, state: null, documentType: null, asOf: "" }
  return state !== null || documentType !== null || asOf !== "" ? { ...changes, search: "", order: null } : changes
}

/** True when sites are searched, or ordered by their names. */
export const isBySite = ({ order, search }: CoverageFilters): boolean => search.trim() !== "" || order !== null

/** The part of the filters that selects sites and day; the summary has no other. */
export const scopeOf = ({ asOf, portfolio }: CoverageFilters): Pick<ListCoverage, "portfolioId" | "asOf"> => ({
  ...(portfolio === "all" ? {} : { portfolioId: portfolio }),
  ...(asOf === "" ? {} : { asOf })
})

/** The sites of a page, for filters by site. */
export const sitesQueryOf = ({ order, portfolio, search }: CoverageFilters): ListSites => ({
  ...(portfolio === "all" ? {} : { portfolioId: portfolio }),
  ...(search.trim() === "" ? {} : { q: search.trim() }),
  ...(order === null ? {} : { sort: "siteName", order })
})

export const queryOf = (filters: CoverageFilters): ListCoverage => ({
  ...scopeOf(filters),
  ...(filters.state === null ? {} : { state: filters.state }),
  ...(filters.documentType === null ? {} : { documentType: filters.documentType })
})

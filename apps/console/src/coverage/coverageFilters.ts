/**
 * Filters of the coverage, as they stand in the address and as query of the API.
 */
import type { Document, ListCoverage } from "@solar-sites/http-node/client"
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
}

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
      asOf: isDay(asOf) ? asOf : ""
    }
  },
  written: ({ asOf, documentType, portfolio, state }) => ({
    ...(portfolio === "all" ? {} : { portfolio }),
    ...(state === null ? {} : { state }),
    ...(documentType === null ? {} : { documentType }),
    ...(asOf === "" ? {} : { asOf })
  })
}

/** The part of the filters that selects sites and day; the summary has no other. */
export const scopeOf = ({ asOf, portfolio }: CoverageFilters): Pick<ListCoverage, "portfolioId" | "asOf"> => ({
  ...(portfolio === "all" ? {} : { portfolioId: portfolio }),
  ...(asOf === "" ? {} : { asOf })
})

export const queryOf = (filters: CoverageFilters): ListCoverage => ({
  ...scopeOf(filters),
  ...(filters.state === null ? {} : { state: filters.state }),
  ...(filters.documentType === null ? {} : { documentType: filters.documentType })
})

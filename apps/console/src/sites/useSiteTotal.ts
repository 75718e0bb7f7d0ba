/**
 * Exact number of the found sites.
 */
import type { Portfolio } from "@solar-sites/http-node/client"
import { useQuery } from "@tanstack/react-query"
import { overviewQuery } from "../overview/overviewQueries.ts"
import type { SiteFilters } from "./siteFilters.ts"
import { siteTotalOf } from "./siteTotal.ts"

/** The overview is read only for a list of several pages. */
export const useSiteTotal = (
  filters: SiteFilters,
  portfolios: ReadonlyArray<Portfolio>,
  hasPages: boolean
): number | undefined => {
  const { data } = useQuery({ ...overviewQuery, refetchOnMount: true, enabled: hasPages })
  return siteTotalOf(filters, data, portfolios)
}

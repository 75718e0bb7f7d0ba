/**
 * Exact number of the found sites.
 */
import type { Portfolio } from "@solar-sites/http-node/client"
import { useQuery } from "@tanstack/react-query"
import { overviewQuery } from "../overview/overviewQueries.ts"
import type { SiteFilters } from "./siteFilters.ts"
import { clustersQuery, totalOf } from "./siteQueries.ts"
import { isCounted, siteTotalOf } from "./siteTotal.ts"

/** Totals are read only for a list of several pages. */
export const useSiteTotal = (
  filters: SiteFilters,
  portfolios: ReadonlyArray<Portfolio>,
  hasPages: boolean
): number | undefined => {
  const hasCount = isCounted(filters)
  const { data } = useQuery({ ...overviewQuery, refetchOnMount: true, enabled: hasPages && !hasCount })
  const { data: count } = useQuery({ ...clustersQuery(filters), enabled: hasPages && hasCount, select: totalOf })
  return hasCount ? count : siteTotalOf(filters, data, portfolios)
}

/**
 * Exact number of the found sites.
 */
import type { Portfolio } from "@solar-sites/http-node/client"
import { queryOptions, useQuery } from "@tanstack/react-query"
import { ask } from "../api/ask.ts"
import { overviewQuery } from "../overview/overviewQueries.ts"
import type { SiteFilters } from "./siteFilters.ts"
import { countedQueryOf, siteTotalOf } from "./siteTotal.ts"

const countQuery = (conditions: ReturnType<typeof countedQueryOf>) =>
  queryOptions({
    queryKey: ["sites", "count", conditions],
    queryFn: async () => {
      const { clusters, unplaced } = await ask("GET /console/sites/clusters", { query: { ...conditions } })
      return clusters.reduce((sum, { count }) => sum + count, unplaced?.count ?? 0)
    },
    // Each search leaves an entry.
    gcTime: 300_000
  })

/** Totals are read only for a list of several pages. */
export const useSiteTotal = (
  filters: SiteFilters,
  portfolios: ReadonlyArray<Portfolio>,
  hasPages: boolean
): number | undefined => {
  const conditions = countedQueryOf(filters)
  const isCounted = conditions !== undefined
  const { data } = useQuery({ ...overviewQuery, refetchOnMount: true, enabled: hasPages && !isCounted })
  const { data: count } = useQuery({ ...countQuery(conditions), enabled: hasPages && isCounted })
  return isCounted ? count : siteTotalOf(filters, data, portfolios)
}

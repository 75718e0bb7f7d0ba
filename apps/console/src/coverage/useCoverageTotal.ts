/**
 * Exact number of the sites of the coverage.
 */
import type { SiteCoverage } from "@solar-sites/http-node/client"
import { useQuery } from "@tanstack/react-query"
import type { ListQuery } from "../lists/useListQuery.ts"
import { siteFilters } from "../sites/siteFilters.ts"
import { clustersQuery, totalOf } from "../sites/siteQueries.ts"
import { type CoverageFilters, scopeOf } from "./coverageFilters.ts"
import { coverageSummaryQuery } from "./coverageQueries.ts"
import { coverageTotalOf } from "./coverageTotal.ts"

type List = Pick<ListQuery<CoverageFilters, SiteCoverage>, "cursor" | "filters" | "nextCursor">

/** The summary is read for the page in any case, the total of a search for several pages only. */
export const useCoverageTotal = ({ cursor, filters, nextCursor }: List): number | undefined => {
  const { portfolio, search } = filters
  const isSearch = search.trim() !== ""
  const { data: found } = useQuery({
    ...clustersQuery({ ...siteFilters.read(new URLSearchParams()), portfolio, search }),
    enabled: isSearch && (cursor !== "" || nextCursor !== null),
    select: totalOf
  })
  const { data: summary } = useQuery(coverageSummaryQuery(scopeOf(filters)))
  return isSearch ? found : summary && coverageTotalOf(filters, summary)
}

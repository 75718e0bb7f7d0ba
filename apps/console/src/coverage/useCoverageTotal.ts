/**
 * Exact number of the sites of the coverage.
 */
import type { SiteCoverage } from "@solar-sites/http-node/client"
import { useQuery } from "@tanstack/react-query"
import type { ListQuery } from "../lists/useListQuery.ts"
import { siteFilters } from "../sites/siteFilters.ts"
import { clustersQuery, totalOf } from "../sites/siteQueries.ts"
import type { CoverageFilters } from "./coverageFilters.ts"

type List = Pick<ListQuery<CoverageFilters, SiteCoverage>, "cursor" | "filters" | "nextCursor">

/** Read only for several pages of a search; undefined otherwise. */
export const useCoverageTotal = ({ cursor, filters, nextCursor }: List): number | undefined => {
  const { portfolio, search } = filters
  const { data } = useQuery({
    ...clustersQuery({ ...siteFilters.read(new URLSearchParams()), portfolio, search }),
    enabled: search.trim() !== "" && (cursor !== "" || nextCursor !== null),
    select: totalOf
  })
  return search.trim() === "" ? undefined : data
}

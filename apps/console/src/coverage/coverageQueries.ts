/**
 * Queries for the coverage of required documents.
 */
import type { SiteCoverage, SummariseCoverage } from "@solar-sites/http-node/client"
import { queryOptions } from "@tanstack/react-query"
import { client } from "../api/client.ts"

export type CoverageItem = SiteCoverage["items"][number]

/** Items of one site, in the order of the requirements. */
export const siteCoverageQuery = (siteId: string) =>
  queryOptions({
    queryKey: ["coverage", "site", siteId],
    queryFn: ({ signal }) => client.coverage.list({ siteId }, { signal }),
    select: ({ data }): ReadonlyArray<CoverageItem> => data[0]?.items ?? []
  })

/** Numbers of sites per type and state. */
export const coverageSummaryQuery = (scope: SummariseCoverage) =>
  queryOptions({
    queryKey: ["coverage", "summary", scope],
    queryFn: ({ signal }) => client.coverage.summary(scope, { signal }),
    // Requirements change on another page.
    refetchOnMount: "always"
  })

export const isCovered = ({ state }: CoverageItem): boolean => state === "valid" || state === "expiring"

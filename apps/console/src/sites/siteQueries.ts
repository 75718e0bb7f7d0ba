/**
 * Queries for sites: single ones, pages of the list, and many for a map.
 */
import type { Site } from "@solar-sites/http-node/client"
import { infiniteQueryOptions, queryOptions, useInfiniteQuery } from "@tanstack/react-query"
import { useEffect, useMemo } from "react"
import { client } from "../api/client.ts"
import { queryClient, readAgain } from "../api/queries.ts"
import { type ListOptions, type ListQuery, prefetchList, useListQuery } from "../lists/useListQuery.ts"
import { overviewQuery } from "../overview/overviewQueries.ts"
import { filtersWithin, type SiteFilters, siteFilters } from "./siteFilters.ts"
import { readSites } from "./siteReading.ts"

export const siteQuery = (siteId: string) =>
  queryOptions({ queryKey: ["sites", "one", siteId], queryFn: ({ signal }) => client.sites.get(siteId, { signal }) })

const listKey = ["sites", "list"]

const searchOf = ({ search }: SiteFilters): string => search

// Nothing is read for a map.
const listOptions: ListOptions<SiteFilters, Site> = {
  ...siteFilters,
  key: listKey,
  searchOf,
  readPage: readSites,
  isFor: ({ asMap }) => !asMap
}

/** The page of sites that the address names, of all or of one portfolio. */
export const useSiteList = (portfolioId?: string): ListQuery<SiteFilters, Site> =>
  useListQuery(portfolioId === undefined ? listOptions : { ...listOptions, ...filtersWithin(portfolioId) })

export const prefetchSites = (search: string): void => prefetchList(listOptions, search)

/** Sites that a map reads at most. */
export const mapMaximum = 20_000

const manyQuery = (filters: SiteFilters) =>
  infiniteQueryOptions({
    queryKey: ["sites", "many", filters],
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) =>
      readSites(filters, { limit: 1_000, ...(pageParam === "" ? {} : { cursor: pageParam }) }, { signal }),
    getNextPageParam: ({ nextCursor }, pages) =>
      pages.reduce((count, { data }) => count + data.length, 0) < mapMaximum ? nextCursor : null,
    gcTime: 60_000
  })

export interface ManySites {
  readonly sites: ReadonlyArray<Site>
  /** False while further pages are being read. */
  readonly complete: boolean
  /** True when there are more than the maximum. */
  readonly isCut: boolean
  readonly error: Error | null
  readonly retry: () => void
}

/** Reads all found sites page by page, up to the maximum. */
export const useManySites = (filters: SiteFilters): ManySites => {
  const { data, error, fetchNextPage, hasNextPage, isFetching, refetch } = useInfiniteQuery(manyQuery(filters))
  const failed = error !== null
  useEffect(() => {
    if (hasNextPage && !isFetching && !failed) void fetchNextPage({ cancelRefetch: false })
  }, [hasNextPage, isFetching, failed, fetchNextPage])
  const sites = useMemo(() => data?.pages.flatMap((page) => page.data) ?? [], [data])
  const complete = data !== undefined && !hasNextPage
  return {
    sites,
    complete,
    isCut: complete && (data.pages.at(-1)?.nextCursor ?? null) !== null,
    error,
    retry: () => void (hasNextPage ? fetchNextPage() : refetch())
  }
}

// Totals of portfolios and the coverage depend on their sites.
const dependent = [["portfolios"], ["coverage"], overviewQuery.queryKey]

/** Reads all queries about sites again. */
export const refreshSites = (): Promise<void> => readAgain(["sites"])

/** Reads again what depends on the portfolios of many sites. */
export const refreshMovedSites = (): Promise<void> => readAgain(["sites"], ...dependent)

interface Pages {
  readonly data: ReadonlyArray<Site>
}

const refreshLists = (change: (sites: ReadonlyArray<Site>) => ReadonlyArray<Site>): void => {
  queryClient.setQueriesData<Pages>({ queryKey: listKey }, (page) => page && { ...page, data: change(page.data) })
  // Filters and order may place the sites elsewhere.
  void readAgain(listKey, ["sites", "many"], ...dependent)
}

/** Updates the cache with sites that the server has answered. */
export const rememberSites = (changed: ReadonlyArray<Site>): void => {
  const byId = new Map(changed.map((site) => [site.id, site]))
  for (const site of changed) queryClient.setQueryData(siteQuery(site.id).queryKey, site)
  refreshLists((sites) => sites.map((site) => byId.get(site.id) ?? site))
}

export const forgetSites = (siteIds: ReadonlyArray<string>): void => {
  const gone = new Set(siteIds)
  for (const id of gone) queryClient.removeQueries({ queryKey: siteQuery(id).queryKey })
  refreshLists((sites) => sites.filter(({ id }) => !gone.has(id)))
}

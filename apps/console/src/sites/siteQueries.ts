/**
 * Queries for sites. The whole list is read page by page and is shown from the
 * first page on.
 */
import type { Site } from "@solar-sites/http-node/client"
import { type InfiniteData, infiniteQueryOptions, queryOptions, useInfiniteQuery } from "@tanstack/react-query"
import { useEffect, useMemo } from "react"
import { client } from "../api/client.ts"
import { queryClient } from "../api/queries.ts"

const allSitesQuery = infiniteQueryOptions({
  queryKey: ["sites", "all"],
  initialPageParam: "",
  queryFn: ({ pageParam, signal }) =>
    client.sites.list({ limit: 1_000, ...(pageParam === "" ? {} : { cursor: pageParam }) }, { signal }),
  getNextPageParam: ({ nextCursor }) => nextCursor
})

export const siteQuery = (siteId: string) =>
  queryOptions({ queryKey: ["sites", "one", siteId], queryFn: ({ signal }) => client.sites.get(siteId, { signal }) })

export interface AllSites {
  readonly sites: ReadonlyArray<Site>
  /** False while further pages are being read. */
  readonly complete: boolean
  readonly error: Error | null
  readonly retry: () => void
}

export const useSites = (): AllSites => {
  const { data, error, fetchNextPage, hasNextPage, isFetching, refetch } = useInfiniteQuery(allSitesQuery)
  const failed = error !== null
  useEffect(() => {
    if (hasNextPage && !isFetching && !failed) void fetchNextPage({ cancelRefetch: false })
  }, [hasNextPage, isFetching, failed, fetchNextPage])
  const sites = useMemo(() => data?.pages.flatMap((page) => page.data) ?? [], [data])
  return {
    sites,
    complete: data !== undefined && !hasNextPage,
    error,
    retry: () => void (hasNextPage ? fetchNextPage() : refetch())
  }
}

type Pages = InfiniteData<Awaited<ReturnType<typeof client.sites.list>>, string>

const changePages = (change: (sites: ReadonlyArray<Site>, last: boolean) => ReadonlyArray<Site>): void => {
  queryClient.setQueryData<Pages>(allSitesQuery.queryKey, (known) =>
    known === undefined
      ? undefined
      : {
          ...known,
          pages: known.pages.map((page) => ({ ...page, data: change(page.data, page.nextCursor === null) }))
        }
  )
}

// The totals of portfolios depend on their sites.
const refreshPortfolios = () => queryClient.invalidateQueries({ queryKey: ["portfolios"] })

/** Updates the cache with sites that the server has answered. */
export const rememberSites = (changed: ReadonlyArray<Site>): void => {
  const byId = new Map(changed.map((site) => [site.id, site]))
  const known = new Set<string>()
  changePages((sites) =>
    sites.map((site) => {
      if (byId.has(site.id)) known.add(site.id)
      return byId.get(site.id) ?? site
    })
  )
  const added = changed.filter(({ id }) => !known.has(id))
  if (added.length > 0) changePages((sites, last) => (last ? [...sites, ...added] : sites))
  for (const site of changed) queryClient.setQueryData(siteQuery(site.id).queryKey, site)
  void refreshPortfolios()
}

export const forgetSite = (siteId: string): void => {
  changePages((sites) => sites.filter(({ id }) => id !== siteId))
  queryClient.removeQueries({ queryKey: siteQuery(siteId).queryKey })
  void refreshPortfolios()
}

/** Reads all queries about sites again. */
export const refreshSites = (): Promise<void> => queryClient.invalidateQueries({ queryKey: ["sites"] })

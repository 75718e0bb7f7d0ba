/**
 * Queries for sites: single ones, pages of the list, and their numbers on a map.
 */
import type { Site } from "@solar-sites/http-node/client"
import { queryOptions } from "@tanstack/react-query"
import { type Answer, ask } from "../api/ask.ts"
import { client } from "../api/client.ts"
import { queryClient, readAgain } from "../api/queries.ts"
import { type ListOptions, type ListQuery, prefetchList, useListQuery } from "../lists/useListQuery.ts"
import { overviewQuery } from "../overview/overviewQueries.ts"
import { filtersWithin, type SiteFilters, siteFilters } from "./siteFilters.ts"
import { readSites } from "./siteReading.ts"
import { conditionsOf, isNoPortfolio } from "./siteRequest.ts"

export const siteQuery = (siteId: string) =>
  queryOptions({ queryKey: ["sites", "one", siteId], queryFn: ({ signal }) => client.sites.get(siteId, { signal }) })

const listKey = ["sites", "list"]
const clustersKey = ["sites", "clusters"]

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

type Found = Answer<"GET /console/sites/clusters">

const nothing: Found = { clusters: [], unplaced: { count: 0, sites: [] } }

/** Found sites as a map shows them: those of a section such as `-10,35,30,60`, or all of them. */
export const clustersQuery = (filters: SiteFilters, within?: string) => {
  const query = { ...conditionsOf(filters), ...(within === undefined ? {} : { within }) }
  return queryOptions({
    queryKey: [...clustersKey, query],
    queryFn: () => (isNoPortfolio(filters) ? nothing : ask("GET /console/sites/clusters", { query })),
    // Each section leaves an entry.
    gcTime: 300_000
  })
}

/** Exact number of the sites, when no section was asked for. */
export const totalOf = ({ clusters, unplaced }: Found): number =>
  clusters.reduce((sum, { count }) => sum + count, unplaced?.count ?? 0)

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
  void readAgain(listKey, clustersKey, ...dependent)
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

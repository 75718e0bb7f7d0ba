/**
 * Pages of sites from the API, by the filters of the list.
 */
import type { Site } from "@solar-sites/http-node/client"
import { ask } from "../api/ask.ts"
import { client } from "../api/client.ts"
import type { Health } from "../health/Health.ts"
import type { Paging } from "../lists/useListQuery.ts"
import { pageByHealth } from "./pageByHealth.ts"
import type { SiteFilters } from "./siteFilters.ts"
import { isNoPortfolio, queryOf } from "./siteRequest.ts"

interface Reading {
  readonly signal: AbortSignal
}

type SitePage = Awaited<ReturnType<typeof client.sites.list>>

const nothing = { data: [], nextCursor: null }

const ofHealth = (filters: SiteFilters, health: Health, paging: Paging): Promise<SitePage> =>
  ask("GET /console/sites", { query: { ...queryOf(filters), health, ...paging } })

const listSites = (filters: SiteFilters, paging: Paging, reading: Reading): Promise<SitePage> => {
  const { descending, health, sort } = filters
  if (isNoPortfolio(filters)) return Promise.resolve(nothing)
  if (health !== null) return ofHealth(filters, health, paging)
  if (sort === "health") {
    return pageByHealth<Site>((one, position) => ofHealth(filters, one, position), descending, paging)
  }
  return client.sites.list({ ...queryOf(filters), ...paging }, reading)
}

// Sites per request and requests per page while sites in no portfolio are looked for.
const scanned = 200
const scans = 25

/**
 * One page of sites. The API has no filter for sites in no portfolio: they are looked for in at
 * most 5,000 sites per page, so a page can have fewer sites than the limit, or up to 199 more.
 */
export const readSites = async (filters: SiteFilters, paging: Paging, reading: Reading): Promise<SitePage> => {
  if (filters.portfolio !== "none") return listSites(filters, paging, reading)
  const data: Array<Site> = []
  let position: { readonly cursor?: string } = paging.cursor === undefined ? {} : { cursor: paging.cursor }
  for (let scan = 0; scan < scans; scan += 1) {
    const page = await listSites(filters, { limit: scanned, ...position }, reading)
    data.push(...page.data.filter(({ portfolioId }) => portfolioId === null))
    if (page.nextCursor === null) return { data, nextCursor: null }
    if (data.length >= paging.limit) return { data, nextCursor: page.nextCursor }
    position = { cursor: page.nextCursor }
  }
  return { data, nextCursor: position.cursor ?? null }
}

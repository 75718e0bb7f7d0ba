/**
 * Pages of sites from the API, by the filters of the list.
 */
import type { Site } from "@solar-sites/http-node/client"
import { ask } from "../api/ask.ts"
import { client } from "../api/client.ts"
import type { Paging } from "../lists/useListQuery.ts"
import { pageByHealth } from "./pageByHealth.ts"
import type { SiteFilters } from "./siteFilters.ts"
import { conditionsOf, isNoPortfolio, orderOf } from "./siteRequest.ts"

interface Reading {
  readonly signal: AbortSignal
}

type SitePage = Awaited<ReturnType<typeof client.sites.list>>

const nothing = { data: [], nextCursor: null }

/** One page of sites. The API answers what it has the conditions for. */
export const readSites = (filters: SiteFilters, paging: Paging, reading: Reading): Promise<SitePage> => {
  const { descending, health, portfolio, sort } = filters
  const query = { ...conditionsOf(filters), ...orderOf(filters) }
  if (isNoPortfolio(filters)) return Promise.resolve(nothing)
  if (sort === "health" && health === null) {
    return pageByHealth<Site>(
      (one, position) => ask("GET /console/sites", { query: { ...query, health: one, ...position } }),
      descending,
      paging
    )
  }
  return health !== null || portfolio === "none"
    ? ask("GET /console/sites", { query: { ...query, ...paging } })
    : client.sites.list({ ...query, ...paging }, reading)
}

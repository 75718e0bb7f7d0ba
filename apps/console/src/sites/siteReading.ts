/**
 * Pages of sites from the API, by the filters of the list.
 */
import type { Document, Site, SiteCoverage } from "@solar-sites/http-node/client"
import { client } from "../api/client.ts"
import type { Paging } from "../lists/useListQuery.ts"
import type { SiteFilters } from "./siteFilters.ts"
import { isNoPortfolio, ofPortfolio, queryOf } from "./siteRequest.ts"

interface Reading {
  readonly signal: AbortSignal
}

type SitePage = Awaited<ReturnType<typeof client.sites.list>>

const nothing = { data: [], nextCursor: null }

const listSites = (filters: SiteFilters, paging: Paging, reading: Reading): Promise<SitePage> =>
  isNoPortfolio(filters) ? Promise.resolve(nothing) : client.sites.list({ ...queryOf(filters), ...paging }, reading)

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

/** A site with those of its documents that are in the state of the filter. */
export interface CoveredSite {
  readonly id: string
  readonly siteName: string
  readonly portfolioId: string | null
  readonly items: SiteCoverage["items"]
  readonly documentTypes: ReadonlyArray<NonNullable<Document["documentType"]>>
}

/** One page of sites by coverage. The API combines it with the portfolio alone, in the order of age. */
export const readCoverage = async (filters: SiteFilters, paging: Paging, reading: Reading) => {
  const { coverage: state } = filters
  if (state === null || isNoPortfolio(filters)) return { data: [], nextCursor: null }
  const { data, nextCursor } = await client.coverage.list({ ...ofPortfolio(filters), state, ...paging }, reading)
  const covered = data.map(
    ({ items, portfolioId, siteId, siteName }): CoveredSite => ({
      id: siteId,
      siteName,
      portfolioId,
      items,
      documentTypes: items.filter((item) => item.state === state).map(({ documentType }) => documentType)
    })
  )
  return { data: covered, nextCursor }
}

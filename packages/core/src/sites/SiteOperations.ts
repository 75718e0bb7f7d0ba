/**
 * The operations on sites: JSON forms, promises and rows.
 */
import type { ApiScope } from "../caller/ApiScope.ts"
import type { OperationOptions } from "../caller/CallOptions.ts"
import { change, create, read } from "../caller/Operation.ts"
import { type List, listOf } from "../lists/Page.ts"
import { CreateSite, ListSites, Site, SiteId, UpdateSite } from "./Site.ts"
import { BulkSites, BulkSitesResult } from "./SiteBulkInput.ts"
import { SiteNotFound } from "./SiteErrors.ts"

export type PlainSite = typeof Site.Encoded

export type PlainCreateSite = typeof CreateSite.Encoded

/** An absent member keeps its value; `null` clears an optional one. */
export type PlainUpdateSite = typeof UpdateSite.Encoded

export type PlainListSites = typeof ListSites.Encoded

/** 1–1,000 sites. */
export type PlainBulkSites = typeof BulkSites.Encoded

export type PlainBulkSitesResult = typeof BulkSitesResult.Encoded

export interface SiteOperations<Options extends OperationOptions = OperationOptions> {
  readonly create: (site: PlainCreateSite, options?: Options["create"]) => Promise<PlainSite>
  /**
   * Creates 1–1,000 sites, or with the mode `upsert` changes the stored sites with their external
   * ids: all or none, with results in the order of the input.
   */
  readonly bulk: (input: PlainBulkSites, options?: Options["create"]) => Promise<PlainBulkSitesResult>
  readonly get: (siteId: string, options?: Options["read"]) => Promise<PlainSite>
  /** Oldest first; complete without `limit`. */
  readonly list: (query?: PlainListSites, options?: Options["read"]) => Promise<List<PlainSite>>
  /** Values that are stored already change nothing, `version` included. */
  readonly update: (siteId: string, changes: PlainUpdateSite, options?: Options["change"]) => Promise<PlainSite>
  readonly delete: (siteId: string, options?: Options["change"]) => Promise<void>
}

const site = { schema: SiteId, missing: (siteId: SiteId) => new SiteNotFound({ siteIds: [siteId] }) }

interface Change {
  readonly portfolioId?: unknown
}

// A new site without a portfolio moves nothing.
const isPut = ({ portfolioId }: Change): boolean => portfolioId !== undefined && portfolioId !== null
const isMoved = ({ portfolioId }: Change): boolean => portfolioId !== undefined

const ifMoving = (moves: boolean): ReadonlyArray<ApiScope> => (moves ? ["portfolios:write"] : [])

export const siteOperations = {
  create: create({
    scopes: ["sites:write"],
    scopesOf: (input: CreateSite) => ifMoving(isPut(input)),
    input: CreateSite,
    output: Site,
    refusals: ["portfolio_not_found", "external_id_taken"]
  }),
  bulk: create({
    scopes: ["sites:write"],
    scopesOf: ({ mode, sites }: BulkSites) => ifMoving(sites.some(mode === "upsert" ? isMoved : isPut)),
    input: BulkSites,
    output: BulkSitesResult,
    refusals: ["portfolio_not_found", "external_id_taken"]
  }),
  get: read({ scopes: ["sites:read"], names: [site], output: Site, refusals: ["site_not_found"] }),
  list: read({ scopes: ["sites:read"], input: ListSites, output: listOf(Site), refusals: [] }),
  update: change({
    scopes: ["sites:write"],
    scopesOf: (changes: UpdateSite) => ifMoving(isMoved(changes)),
    names: [site],
    input: UpdateSite,
    output: Site,
    refusals: ["site_not_found", "portfolio_not_found", "external_id_taken"]
  }),
  delete: change({ scopes: ["sites:write"], names: [site], refusals: ["site_not_found"] })
}

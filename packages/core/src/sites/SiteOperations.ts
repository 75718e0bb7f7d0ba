/**
 * The operations on sites.
 */
import type { ApiScope } from "../caller/ApiScope.ts"
import { change, create, read } from "../caller/Operation.ts"
import { listOf } from "../persistence/Page.ts"
import { BulkSites, BulkSitesResult } from "./BulkSites.ts"
import { CreateSite, ListSites, Site, SiteId, UpdateSite } from "./Site.ts"
import { SiteNotFound } from "./SiteErrors.ts"

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

/**
 * The operations on sites: JSON forms, promises and rows.
 */
import type { ApiScope } from "../caller/ApiScope.ts"
import type { OperationOptions } from "../caller/CallOptions.ts"
import { change, create, read } from "../caller/Operation.ts"
import type { PortfolioId } from "../caller/PortfolioId.ts"
import { PortfolioRequired } from "../caller/Reach.ts"
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
  readonly portfolioId?: PortfolioId | null
}

type Reached = ReadonlyArray<PortfolioId> | undefined

// A new site without a portfolio moves nothing.
const isPut = ({ portfolioId }: Change): boolean => portfolioId !== undefined && portfolioId !== null
const isMoved = ({ portfolioId }: Change): boolean => portfolioId !== undefined

/** Moves within the portfolios of a limited caller need no further scope. */
const scopesOfMoves = (moves: ReadonlyArray<Change>, reached: Reached): ReadonlyArray<ApiScope> =>
  moves.every(({ portfolioId }) => portfolioId != null && reached?.includes(portfolioId)) ? [] : ["portfolios:write"]

/** Sites that would be in no portfolio. An upsert without the member keeps the portfolio of a stored site. */
const unplacedIn = ({ mode, sites }: BulkSites): PortfolioRequired | null => {
  const isUnplaced = ({ portfolioId }: Change) => (mode === "upsert" ? portfolioId === null : portfolioId == null)
  const positions = sites.flatMap((site, position) => (isUnplaced(site) ? [position] : []))
  return positions.length === 0 ? null : new PortfolioRequired({ positions })
}

export const siteOperations = {
  create: create({
    scopes: ["sites:write"],
    scopesOf: (input: CreateSite, reached?: Reached) => scopesOfMoves([input].filter(isPut), reached),
    limitedInput: (input: CreateSite) => (isPut(input) ? null : new PortfolioRequired({ positions: [] })),
    input: CreateSite,
    output: Site,
    refusals: ["portfolio_not_found", "external_id_taken"]
  }),
  bulk: create({
    scopes: ["sites:write"],
    scopesOf: ({ mode, sites }: BulkSites, reached?: Reached) =>
      scopesOfMoves((sites as ReadonlyArray<Change>).filter(mode === "upsert" ? isMoved : isPut), reached),
    limitedInput: unplacedIn,
    input: BulkSites,
    output: BulkSitesResult,
    refusals: ["portfolio_not_found", "external_id_taken"]
  }),
  get: read({ scopes: ["sites:read"], names: [site], output: Site, refusals: ["site_not_found"] }),
  list: read({ scopes: ["sites:read"], input: ListSites, output: listOf(Site), refusals: [] }),
  update: change({
    scopes: ["sites:write"],
    scopesOf: (changes: UpdateSite, reached?: Reached) => scopesOfMoves([changes].filter(isMoved), reached),
    limitedInput: ({ portfolioId }: UpdateSite) =>
      portfolioId === null ? new PortfolioRequired({ positions: [] }) : null,
    names: [site],
    input: UpdateSite,
    output: Site,
    refusals: ["site_not_found", "portfolio_not_found", "external_id_taken"]
  }),
  delete: change({ scopes: ["sites:write"], names: [site], refusals: ["site_not_found"] })
}

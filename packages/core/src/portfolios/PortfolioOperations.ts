/**
 * The operations on portfolios: JSON forms, promises and rows.
 */
import { Schema } from "effect"
import type { OperationOptions } from "../caller/CallOptions.ts"
import { change, create, read, stream } from "../caller/Operation.ts"
import { PortfolioId } from "../caller/PortfolioId.ts"
import { type List, listOf } from "../lists/Page.ts"
import { PortfolioNotFound } from "../sites/PortfolioReference.ts"
import { Site } from "../sites/Site.ts"
import type { PlainSite } from "../sites/SiteOperations.ts"
import {
  CreatePortfolio,
  CreatePortfolios,
  ListPortfolios,
  ListPortfoliosWithSites,
  Portfolio,
  PortfolioWithSites,
  SiteIds,
  UpdatePortfolio
} from "./Portfolio.ts"

export type PlainPortfolio = typeof Portfolio.Encoded

export type PlainPortfolioWithSites = typeof PortfolioWithSites.Encoded

export type PlainCreatePortfolio = typeof CreatePortfolio.Encoded

export type PlainUpdatePortfolio = typeof UpdatePortfolio.Encoded

export type PlainListPortfolios = typeof ListPortfolios.Encoded

/** At most 100 portfolios per page. */
export type PlainListPortfoliosWithSites = typeof ListPortfoliosWithSites.Encoded

/**
 * One part of a streamed listing of portfolios with their sites, in order: a new portfolio, more
 * sites of the portfolio before, or the end with the cursor of the next page.
 */
export type PlainPortfolioPart =
  | { readonly _tag: "Portfolio"; readonly portfolio: PlainPortfolio }
  | { readonly _tag: "Sites"; readonly sites: ReadonlyArray<PlainSite> }
  | { readonly _tag: "End"; readonly nextCursor: string | null }

export interface PortfolioOperations<Options extends OperationOptions = OperationOptions> {
  readonly create: (portfolio: PlainCreatePortfolio, options?: Options["create"]) => Promise<PlainPortfolio>
  /** 1–100 portfolios, all or none; results in the order of the input. */
  readonly createMany: (
    portfolios: ReadonlyArray<PlainCreatePortfolio>,
    options?: Options["create"]
  ) => Promise<ReadonlyArray<PlainPortfolio>>
  readonly get: (portfolioId: string, options?: Options["read"]) => Promise<PlainPortfolio>
  /** Oldest first; complete without `limit`. */
  readonly list: (query?: PlainListPortfolios, options?: Options["read"]) => Promise<List<PlainPortfolio>>
  /** Each portfolio with all its sites; complete without `limit`. */
  readonly listWithSites: (
    query?: PlainListPortfoliosWithSites,
    options?: Options["read"]
  ) => Promise<List<PlainPortfolioWithSites>>
  /** Values that are stored already change nothing, `version` included. */
  readonly update: (
    portfolioId: string,
    changes: PlainUpdatePortfolio,
    options?: Options["change"]
  ) => Promise<PlainPortfolio>
  /** The sites stay, without a portfolio. */
  readonly delete: (portfolioId: string, options?: Options["change"]) => Promise<void>
  /**
   * Moves 1–1,000 sites into the portfolio, all or none. Returns each site once, in the order of
   * the input. Repeating the call changes nothing.
   */
  readonly addSites: (
    portfolioId: string,
    siteIds: ReadonlyArray<string>,
    options?: Options["create"]
  ) => Promise<ReadonlyArray<PlainSite>>
  /** Removes 1–1,000 sites, all or none. `expectedVersion` is the version of the portfolio. */
  readonly removeSites: (
    portfolioId: string,
    siteIds: ReadonlyArray<string>,
    options?: Options["change"]
  ) => Promise<void>
}

const portfolio = {
  schema: PortfolioId,
  missing: (portfolioId: PortfolioId) => new PortfolioNotFound({ portfolioId })
}

export const portfolioOperations = {
  create: create({
    scopes: ["portfolios:write"],
    limited: "caller_limited",
    input: CreatePortfolio,
    output: Portfolio,
    refusals: ["external_id_taken"]
  }),
  createMany: create({
    scopes: ["portfolios:write"],
    limited: "caller_limited",
    input: CreatePortfolios,
    output: Schema.Array(Portfolio),
    refusals: ["external_id_taken"]
  }),
  get: read({
    scopes: ["portfolios:read"],
    names: [portfolio],
    output: Portfolio,
    refusals: ["portfolio_not_found"]
  }),
  list: read({ scopes: ["portfolios:read"], input: ListPortfolios, output: listOf(Portfolio), refusals: [] }),
  listWithSites: read({
    scopes: ["portfolios:read", "sites:read"],
    input: ListPortfoliosWithSites,
    output: listOf(PortfolioWithSites),
    refusals: []
  }),
  streamWithSites: stream({
    scopes: ["portfolios:read", "sites:read"],
    input: ListPortfoliosWithSites,
    refusals: []
  }),
  update: change({
    scopes: ["portfolios:write"],
    limited: "caller_limited",
    names: [portfolio],
    input: UpdatePortfolio,
    output: Portfolio,
    refusals: ["portfolio_not_found", "external_id_taken"]
  }),
  delete: change({
    scopes: ["portfolios:write"],
    limited: "caller_limited",
    names: [portfolio],
    refusals: ["portfolio_not_found"]
  }),
  addSites: create({
    scopes: ["portfolios:write"],
    names: [portfolio],
    input: SiteIds,
    output: Schema.Array(Site),
    refusals: ["portfolio_not_found", "site_not_found"]
  }),
  removeSites: change({
    scopes: ["portfolios:write"],
    limited: "portfolio_required",
    names: [portfolio],
    input: SiteIds,
    refusals: ["portfolio_not_found", "site_not_in_portfolio"]
  })
}

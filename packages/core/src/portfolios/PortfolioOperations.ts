/**
 * The operations on portfolios.
 */
import { Schema } from "effect"
import { change, create, read, stream } from "../caller/Operation.ts"
import { listOf } from "../persistence/Page.ts"
import { PortfolioId, PortfolioNotFound } from "../sites/PortfolioReference.ts"
import { Site } from "../sites/Site.ts"
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

const portfolio = {
  schema: PortfolioId,
  missing: (portfolioId: PortfolioId) => new PortfolioNotFound({ portfolioId })
}

export const portfolioOperations = {
  create: create({
    scopes: ["portfolios:write"],
    input: CreatePortfolio,
    output: Portfolio,
    refusals: ["external_id_taken"]
  }),
  createMany: create({
    scopes: ["portfolios:write"],
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
    names: [portfolio],
    input: UpdatePortfolio,
    output: Portfolio,
    refusals: ["portfolio_not_found", "external_id_taken"]
  }),
  delete: change({ scopes: ["portfolios:write"], names: [portfolio], refusals: ["portfolio_not_found"] }),
  addSites: create({
    scopes: ["portfolios:write"],
    names: [portfolio],
    input: SiteIds,
    output: Schema.Array(Site),
    refusals: ["portfolio_not_found", "site_not_found"]
  }),
  removeSites: change({
    scopes: ["portfolios:write"],
    names: [portfolio],
    input: SiteIds,
    refusals: ["portfolio_not_found", "site_not_in_portfolio"]
  })
}

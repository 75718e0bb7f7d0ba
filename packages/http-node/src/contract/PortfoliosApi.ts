/** The portfolio endpoints, and who is in them (specification, section 4). */
import {
  CreatePortfolios,
  ListPortfolios,
  ListPortfoliosWithSites,
  neededScopes,
  Portfolio,
  PortfolioId,
  PortfolioWithSites,
  Site,
  SiteId,
  SiteIds,
  UpdatePortfolio
} from "@solar-sites/core/model"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication } from "./Authentication.ts"
import { finding, IdempotencyKey, IfMatch, inQuery, listOf, PathResource } from "./Conditions.ts"
import { examplePortfolio, exampleSite } from "./Examples.ts"
import { bodyProblems, idempotencyProblems, ifMatchProblems, operation } from "./Operation.ts"
import { refusals } from "./Problems.ts"

const params = { id: PortfolioId }
const responseHeaders = { etag: "The version of the portfolio, to be sent back in If-Match." }

const described = (fields: Schema.Struct.Fields) => Schema.toEncoded(Schema.toCodecJson(Schema.Struct(fields))).ast

const absent = Schema.optionalKey(Schema.Null)

/** The server tells a request that names both, or neither, with its other faults. */
const oneOf = (...alternatives: ReadonlyArray<Schema.Struct.Fields>) =>
  Schema.makeFilter(() => true, {
    representation: {
      id: "@solar-sites/http-node/SiteSelection",
      payload: null,
      schemas: alternatives.map(described)
    },
    toJsonSchema: ({ schemas }) => ({ oneOf: schemas })
  })

const selection = Schema.Struct({
  siteIds: Schema.optionalKey(Schema.NullOr(SiteIds)),
  siteId: Schema.optionalKey(Schema.NullOr(SiteId))
})
const one = { siteIds: absent, siteId: SiteId }
const several = { siteIds: SiteIds, siteId: absent }

/** The sites of one request: a list or a single one, never both. */
export const SiteSelection = selection
  .check(oneOf(several, one))
  .annotate({ description: "Either `siteIds` or `siteId`." })
export type SiteSelection = typeof SiteSelection.Type

/** The query can name the sites instead. */
const OptionalSelection = selection
  .check(oneOf(several, one, { siteIds: absent, siteId: absent }))
  .annotate({ description: "Either `siteIds` or `siteId`, or neither with `siteId` in the query." })

export class PortfoliosApi extends HttpApiGroup.make("portfolios")
  .add(
    HttpApiEndpoint.get("list", "/api/portfolios", {
      query: inQuery(ListPortfolios),
      success: listOf(Portfolio),
      error: refusals
    }).annotateMerge(
      operation({
        id: "listPortfolios",
        compressible: true,
        csv: true,
        scopes: neededScopes.portfolios.list,
        summary: "List portfolios",
        description: `Oldest first. All conditions must hold. ${finding("name or external id")}`,
        problems: ["validation_failed"],
        response: { data: [examplePortfolio], nextCursor: null }
      })
    ),
    HttpApiEndpoint.post("create", "/api/portfolios", {
      headers: IdempotencyKey,
      payload: Schema.Union([Schema.Struct({ portfolios: CreatePortfolios }), CreatePortfolios]),
      success: Schema.Struct({ data: Schema.Array(Portfolio) }).pipe(HttpApiSchema.status(201)),
      error: refusals
    }).annotateMerge(
      operation({
        id: "createPortfolios",
        compressible: true,
        scopes: neededScopes.portfolios.create,
        summary: "Create portfolios",
        description: "All or nothing; answers in the order of the request. A bare array is read too.",
        problems: [...bodyProblems, ...idempotencyProblems, "external_id_taken"],
        request: { portfolios: [{ name: examplePortfolio.name }] },
        response: { data: [{ ...examplePortfolio, siteCount: 0, capacityKw: 0 }] }
      })
    ),
    HttpApiEndpoint.get("listWithSites", "/api/portfolios/with-sites", {
      query: inQuery(ListPortfoliosWithSites),
      success: listOf(PortfolioWithSites),
      error: refusals
    }).annotateMerge(
      operation({
        id: "listPortfoliosWithSites",
        compressible: true,
        scopes: neededScopes.portfolios.listWithSites,
        summary: "List portfolios with their sites",
        description: "Each portfolio with all its sites, oldest first. Without `limit` the list is complete.",
        problems: ["validation_failed"],
        pageSize: 100,
        response: { data: [{ ...examplePortfolio, sites: [exampleSite] }], nextCursor: null }
      })
    ),
    HttpApiEndpoint.get("get", "/api/portfolios/:id", { params, success: Portfolio, error: refusals }).annotateMerge(
      operation({
        id: "getPortfolio",
        scopes: neededScopes.portfolios.get,
        summary: "Read a portfolio",
        problems: ["validation_failed", "portfolio_not_found"],
        response: examplePortfolio,
        responseHeaders
      })
    ),
    HttpApiEndpoint.put("update", "/api/portfolios/:id", {
      params,
      headers: IfMatch,
      payload: UpdatePortfolio,
      success: Portfolio,
      error: refusals
    }).annotateMerge(
      operation({
        id: "updatePortfolio",
        scopes: neededScopes.portfolios.update,
        summary: "Change a portfolio",
        problems: [...bodyProblems, ...ifMatchProblems, "portfolio_not_found", "external_id_taken"],
        request: { name: examplePortfolio.name },
        response: examplePortfolio,
        responseHeaders
      })
    ),
    HttpApiEndpoint.delete("delete", "/api/portfolios/:id", {
      params,
      headers: IfMatch,
      error: refusals
    }).annotateMerge(
      operation({
        id: "deletePortfolio",
        scopes: neededScopes.portfolios.delete,
        summary: "Delete a portfolio",
        description: "Its sites stay, in no portfolio.",
        problems: ["validation_failed", ...ifMatchProblems, "portfolio_not_found"]
      })
    ),
    HttpApiEndpoint.post("addSites", "/api/portfolios/:id/sites", {
      params,
      headers: IdempotencyKey,
      payload: SiteSelection,
      success: Schema.Struct({ data: Schema.Array(Site) }),
      error: refusals
    }).annotateMerge(
      operation({
        id: "addSitesToPortfolio",
        compressible: true,
        scopes: neededScopes.portfolios.addSites,
        summary: "Put sites into a portfolio",
        description:
          "A site of another portfolio is moved. All or nothing; repeating it changes nothing; answers each site once, in the order of the request. The attributes of the sites have at most 8388608 bytes together: more are a 400 with the code `too_large`.",
        problems: [...bodyProblems, ...idempotencyProblems, "portfolio_not_found", "site_not_found"],
        request: { siteIds: [exampleSite.id] },
        response: { data: [exampleSite] }
      })
    ),
    HttpApiEndpoint.delete("removeSites", "/api/portfolios/:id/sites", {
      params,
      headers: IfMatch,
      query: { siteId: Schema.optionalKey(SiteIds) },
      payload: OptionalSelection,
      error: refusals
    }).annotateMerge(
      operation({
        id: "removeSitesFromPortfolio",
        scopes: neededScopes.portfolios.removeSites,
        summary: "Take sites out of a portfolio",
        description:
          "All or nothing. The sites come in the body or, for clients that cannot send one, in the query. The version in `If-Match` is that of the portfolio, which counts its own changes and not the moves of sites.",
        problems: [...bodyProblems, ...ifMatchProblems, "portfolio_not_found", "site_not_in_portfolio"],
        request: { siteIds: [exampleSite.id] },
        bodyOptional: true
      })
    )
  )
  .middleware(Authentication)
  .annotate(PathResource, "portfolio_not_found")
  .annotateMerge(OpenApi.annotations({ title: "Portfolios", description: "Named groups of sites." })) {}

/** The portfolio endpoints, and who is in them (specification, section 4). */
import { CreatePortfolios, operations, Portfolio, Site, SiteId, SiteIds } from "@solar-sites/core/model"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication } from "./Authentication.ts"
import { maximumBulkBytes } from "./BodyLimits.ts"
import { finding, PathResource } from "./Conditions.ts"
import { examplePortfolio, exampleSite } from "./Examples.ts"
import { operation } from "./Operation.ts"
import { conditional, partsOf } from "./Parts.ts"

const { portfolios } = operations

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
    HttpApiEndpoint.get("list", "/api/portfolios", conditional(partsOf(portfolios.list))).annotateMerge(
      operation(portfolios.list, {
        id: "listPortfolios",
        compressible: true,
        csv: true,
        summary: "List portfolios",
        description: `Oldest first. All conditions must hold. ${finding("name or external id")}`,
        response: { data: [examplePortfolio], nextCursor: null }
      })
    ),
    HttpApiEndpoint.post("create", "/api/portfolios", {
      ...partsOf(portfolios.createMany),
      payload: Schema.Union([Schema.Struct({ portfolios: CreatePortfolios }), CreatePortfolios]),
      success: Schema.Struct({ data: Schema.Array(Portfolio) }).pipe(HttpApiSchema.status(201))
    }).annotateMerge(
      operation(portfolios.createMany, {
        id: "createPortfolios",
        compressible: true,
        summary: "Create portfolios",
        description:
          "All portfolios are created, or none. The answers are in the order of the request. A bare array is read too.",
        request: { portfolios: [{ name: examplePortfolio.name }] },
        response: { data: [{ ...examplePortfolio, siteCount: 0, capacityKw: 0 }] }
      })
    ),
    HttpApiEndpoint.get("listWithSites", "/api/portfolios/with-sites", partsOf(portfolios.listWithSites)).annotateMerge(
      operation(portfolios.listWithSites, {
        id: "listPortfoliosWithSites",
        compressible: true,
        summary: "List portfolios with their sites",
        description: "Each portfolio with all its sites, oldest first. Without `limit` the list is complete.",
        pageSize: 100,
        response: { data: [{ ...examplePortfolio, sites: [exampleSite] }], nextCursor: null }
      })
    ),
    HttpApiEndpoint.get("get", "/api/portfolios/:id", partsOf(portfolios.get)).annotateMerge(
      operation(portfolios.get, {
        id: "getPortfolio",
        summary: "Read a portfolio",
        response: examplePortfolio,
        responseHeaders
      })
    ),
    HttpApiEndpoint.put("update", "/api/portfolios/:id", partsOf(portfolios.update)).annotateMerge(
      operation(portfolios.update, {
        id: "updatePortfolio",
        summary: "Change a portfolio",
        request: { name: examplePortfolio.name },
        response: examplePortfolio,
        responseHeaders
      })
    ),
    HttpApiEndpoint.delete("delete", "/api/portfolios/:id", partsOf(portfolios.delete)).annotateMerge(
      operation(portfolios.delete, {
        id: "deletePortfolio",
        summary: "Delete a portfolio",
        description: "Its sites stay and have no portfolio then."
      })
    ),
    HttpApiEndpoint.post("addSites", "/api/portfolios/:id/sites", {
      ...partsOf(portfolios.addSites),
      payload: SiteSelection,
      success: Schema.Struct({ data: Schema.Array(Site) })
    }).annotateMerge(
      operation(portfolios.addSites, {
        id: "addSitesToPortfolio",
        compressible: true,
        summary: "Put sites into a portfolio",
        description: `A site of another portfolio is moved. All sites are moved, or none; repeating it changes nothing. The answer has each site once, in the order of the request. The attributes of the sites have at most ${maximumBulkBytes} bytes together: more are a 400 with the code \`too_large\`.`,
        request: { siteIds: [exampleSite.id] },
        response: { data: [exampleSite] }
      })
    ),
    HttpApiEndpoint.delete("removeSites", "/api/portfolios/:id/sites", {
      ...partsOf(portfolios.removeSites),
      query: { siteId: Schema.optionalKey(SiteIds) },
      payload: OptionalSelection
    }).annotateMerge(
      operation(portfolios.removeSites, {
        id: "removeSitesFromPortfolio",
        summary: "Take sites out of a portfolio",
        description:
          "All sites are taken out, or none. The sites come in the body or, for clients that cannot send one, in the query. The version in `If-Match` is that of the portfolio, which counts its own changes and not the moves of sites.",
        request: { siteIds: [exampleSite.id] },
        bodyOptional: true
      })
    )
  )
  .middleware(Authentication)
  .annotate(PathResource, "portfolio_not_found")
  .annotateMerge(OpenApi.annotations({ title: "Portfolios", description: "Named groups of sites." })) {}

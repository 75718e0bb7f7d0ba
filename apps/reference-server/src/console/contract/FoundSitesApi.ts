/** Sites in lists and on the map, by conditions that the API does not have. */
import { FindClusters, FindSites, listOf, MapSectionText, PortfolioId, Site, SiteId } from "@solar-sites/core"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"

const number = Schema.Finite

/** The first sites by id, at most 100. */
const sites = Schema.Array(Schema.Struct({ id: SiteId, siteName: Schema.String }))

/** Bounds of the sites in a cell of the grid. `sites` is empty unless all of them have one position. */
const Cluster = Schema.Struct({ count: number, west: number, south: number, east: number, north: number, sites })

/** `unplaced` sites have no position; null for a section. */
const SiteClusters = Schema.Struct({
  clusters: Schema.Array(Cluster),
  unplaced: Schema.NullOr(Schema.Struct({ count: number, sites }))
})

/** The portfolio `none` finds sites in no portfolio. */
const portfolioId = Schema.optionalKey(Schema.Union([Schema.Literal("none"), PortfolioId]))

const { cursor, limit, ...whole } = { ...FindSites.fields, portfolioId }

const CsvFile = Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/csv" }))

export class FoundSitesApi extends HttpApiGroup.make("foundSites")
  .add(HttpApiEndpoint.get("list", "/console/sites", { query: { ...whole, cursor, limit }, success: listOf(Site) }))
  // The whole list.
  .add(HttpApiEndpoint.get("csv", "/console/sites/csv", { query: whole, success: CsvFile }))
  .add(
    // The grid follows from the section: at most 17 columns and 17 rows. Without `within` it is the whole world.
    HttpApiEndpoint.get("clusters", "/console/sites/clusters", {
      query: { ...FindClusters.fields, portfolioId, within: Schema.optionalKey(MapSectionText) },
      success: SiteClusters
    })
  ) {}

/** Sites in lists and on the map, by conditions that the API does not have, and changes of many of them. */
import {
  FindClusters,
  FindSites,
  listOf,
  MapSectionText,
  maximumTaggedSites,
  PortfolioId,
  Site,
  SiteId,
  Tags
} from "@solar-sites/core"
import { MaximumBody } from "@solar-sites/http-node/contract"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { bodyBytes, LeastRole } from "./Parts.ts"

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

const TagChange = Schema.Struct({
  siteIds: Schema.Array(SiteId).check(
    Schema.makeFilter(
      (ids: ReadonlyArray<SiteId>) => ids.length <= maximumTaggedSites && new Set(ids).size === ids.length,
      { message: `must name at most ${maximumTaggedSites} different sites` }
    )
  ),
  add: Tags,
  remove: Tags
})

/** Sites that keep their tags: those that are not there, and those that would have more than 20. */
const Untagged = Schema.Struct({ missing: Schema.Array(SiteId), full: Schema.Array(SiteId) })

export class FoundSitesApi extends HttpApiGroup.make("foundSites")
  .add(HttpApiEndpoint.post("tag", "/console/sites/tags", { payload: TagChange, success: Untagged }))
  .annotateEndpoints(LeastRole, "member")
  .annotateEndpoints(MaximumBody, bodyBytes)
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

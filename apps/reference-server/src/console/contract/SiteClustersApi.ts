/** Sites on the map. The API has their positions in lists alone. */
import { clusterConditions, MapSectionText, PortfolioId, SiteId } from "@solar-sites/core"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"

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

/**
 * The grid follows from the section: at most 17 columns and 17 rows. Without `within` it is the whole world. The
 * portfolio `none` finds sites in no portfolio.
 */
export class SiteClustersApi extends HttpApiGroup.make("siteClusters").add(
  HttpApiEndpoint.get("list", "/console/sites/clusters", {
    query: {
      ...clusterConditions,
      portfolioId: Schema.optionalKey(Schema.Union([Schema.Literal("none"), PortfolioId])),
      within: Schema.optionalKey(MapSectionText)
    },
    success: SiteClusters
  })
) {}

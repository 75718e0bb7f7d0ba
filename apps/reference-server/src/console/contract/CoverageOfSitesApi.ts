/** Coverage of chosen sites, such as those of a page of the list. The API has it of one site or of all. */
import { SiteCoverage, SiteId } from "@solar-sites/core"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { all } from "./Parts.ts"

/** Sites of one request. Proxies take addresses of 8 kB, which is about 180 ids. */
const maximumSites = 100

const siteIds = Schema.Array(SiteId).check(
  Schema.makeFilter((ids: ReadonlyArray<SiteId>) => new Set(ids).size <= maximumSites, {
    message: `must name at most ${maximumSites} sites`
  })
)

export class CoverageOfSitesApi extends HttpApiGroup.make("coverageOfSites").add(
  HttpApiEndpoint.get("list", "/console/coverage", {
    query: { siteId: Schema.optionalKey(siteIds) },
    success: all(SiteCoverage)
  })
) {}

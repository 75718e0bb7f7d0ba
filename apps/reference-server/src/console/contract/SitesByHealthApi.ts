/** Sites by health, for the list of sites. Over the API health is read as coverage. */
import { ListSitesByHealth, listOf, Site } from "@solar-sites/core"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"

export class SitesByHealthApi extends HttpApiGroup.make("sitesByHealth").add(
  HttpApiEndpoint.get("list", "/console/sites", { query: ListSitesByHealth.fields, success: listOf(Site) })
) {}

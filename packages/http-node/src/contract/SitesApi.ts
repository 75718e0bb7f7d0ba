/** The site endpoints: paths, payloads and refusals (specification, section 4). */
import { operations, Site } from "@solar-sites/core/model"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication } from "./Authentication.ts"
import { maximumBulkBytes } from "./BodyLimits.ts"
import { finding, PathResource } from "./Conditions.ts"
import { exampleNewSite, exampleSite } from "./Examples.ts"
import { operation } from "./Operation.ts"
import { conditional, partsOf } from "./Parts.ts"

const { sites } = operations

const responseHeaders = { etag: "The version of the site, to be sent back in If-Match." }

export class SitesApi extends HttpApiGroup.make("sites")
  .add(
    HttpApiEndpoint.get("list", "/api/sites", conditional(partsOf(sites.list))).annotateMerge(
      operation(sites.list, {
        id: "listSites",
        compressible: true,
        csv: true,
        summary: "List sites",
        description: `Oldest first. All conditions must hold, and an id that your organisation does not have gives an empty list. ${finding("name, address or external id")}`,
        response: { data: [exampleSite], nextCursor: null }
      })
    ),
    HttpApiEndpoint.post("create", "/api/sites", {
      ...partsOf(sites.create),
      success: Site.pipe(HttpApiSchema.status(201))
    }).annotateMerge(
      operation(sites.create, {
        id: "createSite",
        summary: "Create a site",
        request: exampleNewSite,
        response: exampleSite,
        responseHeaders: { ...responseHeaders, location: "The path of the new site." }
      })
    ),
    HttpApiEndpoint.post("bulk", "/api/sites/bulk", partsOf(sites.bulk)).annotateMerge(
      operation(sites.bulk, {
        id: "bulkSites",
        compressible: true,
        summary: "Create or change many sites",
        description: `All sites are saved, or none. The answers are in the order of the request. With \`upsert\`, each site has an \`externalId\`: the site that has it is changed as by PUT, or a new one is created. A dry run answers the same, without ids of new sites, and changes nothing. The body has at most ${maximumBulkBytes} bytes, and so have the attributes of the stored sites that it names: more are a 400 with the code \`too_large\`.`,
        maximumBody: maximumBulkBytes,
        request: { sites: [exampleNewSite], mode: "upsert", dryRun: false },
        response: {
          data: [{ result: "unchanged", site: exampleSite }],
          summary: { created: 0, updated: 0, unchanged: 1 },
          dryRun: false
        }
      })
    ),
    HttpApiEndpoint.get("get", "/api/sites/:id", conditional(partsOf(sites.get))).annotateMerge(
      operation(sites.get, {
        id: "getSite",
        summary: "Read a site",
        response: exampleSite,
        responseHeaders
      })
    ),
    HttpApiEndpoint.put("update", "/api/sites/:id", partsOf(sites.update)).annotateMerge(
      operation(sites.update, {
        id: "updateSite",
        summary: "Change a site",
        description:
          "An absent member keeps its value, `null` clears an optional one. A body with `portfolioId` alone is valid: an id moves the site, `null` takes it out of its portfolio.",
        request: { portfolioId: exampleSite.portfolioId },
        response: exampleSite,
        responseHeaders
      })
    ),
    HttpApiEndpoint.delete("delete", "/api/sites/:id", partsOf(sites.delete)).annotateMerge(
      operation(sites.delete, {
        id: "deleteSite",
        summary: "Delete a site"
      })
    )
  )
  .middleware(Authentication)
  .annotate(PathResource, "site_not_found")
  .annotateMerge(OpenApi.annotations({ title: "Sites", description: "Anything with more than one solar panel." })) {}

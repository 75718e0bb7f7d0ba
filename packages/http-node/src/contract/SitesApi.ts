/** The site endpoints: paths, payloads and refusals (specification, section 4). */
import {
  BulkSites,
  BulkSitesResult,
  CreateSite,
  ListSites,
  neededScopes,
  Site,
  SiteId,
  UpdateSite
} from "@solar-sites/core/model"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication } from "./Authentication.ts"
import { finding, IdempotencyKey, IfMatch, inQuery, listOf, PathResource } from "./Conditions.ts"
import { exampleNewSite, exampleSite } from "./Examples.ts"
import { bodyProblems, idempotencyProblems, ifMatchProblems, operation } from "./Operation.ts"
import { refusals } from "./Problems.ts"

const params = { id: SiteId }
const responseHeaders = { etag: "The version of the site, to be sent back in If-Match." }

export class SitesApi extends HttpApiGroup.make("sites")
  .add(
    HttpApiEndpoint.get("list", "/api/sites", {
      query: inQuery(ListSites),
      success: listOf(Site),
      error: refusals
    }).annotateMerge(
      operation({
        id: "listSites",
        compressible: true,
        csv: true,
        scopes: neededScopes.sites.list,
        summary: "List sites",
        description: `Oldest first. All conditions must hold, and ids of others or of nothing give an empty list. ${finding("name, address or external id")}`,
        problems: ["validation_failed"],
        response: { data: [exampleSite], nextCursor: null }
      })
    ),
    HttpApiEndpoint.post("create", "/api/sites", {
      headers: IdempotencyKey,
      payload: CreateSite,
      success: Site.pipe(HttpApiSchema.status(201)),
      error: refusals
    }).annotateMerge(
      operation({
        id: "createSite",
        scopes: neededScopes.sites.create,
        summary: "Create a site",
        problems: [...bodyProblems, ...idempotencyProblems, "portfolio_not_found", "external_id_taken"],
        request: exampleNewSite,
        response: exampleSite,
        responseHeaders: { ...responseHeaders, location: "Where the new site is." }
      })
    ),
    HttpApiEndpoint.post("bulk", "/api/sites/bulk", {
      headers: IdempotencyKey,
      payload: BulkSites,
      success: BulkSitesResult,
      error: refusals
    }).annotateMerge(
      operation({
        id: "bulkSites",
        compressible: true,
        scopes: neededScopes.sites.bulk,
        summary: "Create or change many sites",
        description:
          "All or nothing; answers in the order of the request. `upsert` changes the site with the `externalId`, which is required then, as PUT does, or creates it. A dry run answers the same, without ids of new sites, and changes nothing. The body has at most 8388608 bytes, and so have the attributes of the stored sites that it names: more are a 400 with the code `too_large`.",
        problems: [...bodyProblems, ...idempotencyProblems, "portfolio_not_found", "external_id_taken"],
        maximumBody: 8_388_608,
        request: { sites: [exampleNewSite], mode: "upsert", dryRun: false },
        response: {
          data: [{ result: "unchanged", site: exampleSite }],
          summary: { created: 0, updated: 0, unchanged: 1 },
          dryRun: false
        }
      })
    ),
    HttpApiEndpoint.get("get", "/api/sites/:id", { params, success: Site, error: refusals }).annotateMerge(
      operation({
        id: "getSite",
        scopes: neededScopes.sites.get,
        summary: "Read a site",
        problems: ["validation_failed", "site_not_found"],
        response: exampleSite,
        responseHeaders
      })
    ),
    HttpApiEndpoint.put("update", "/api/sites/:id", {
      params,
      headers: IfMatch,
      payload: UpdateSite,
      success: Site,
      error: refusals
    }).annotateMerge(
      operation({
        id: "updateSite",
        scopes: neededScopes.sites.update,
        summary: "Change a site",
        description:
          "An absent member keeps its value, `null` clears an optional one. Only `portfolioId` is valid: an id moves the site, `null` takes it out of its portfolio.",
        problems: [...bodyProblems, ...ifMatchProblems, "site_not_found", "portfolio_not_found", "external_id_taken"],
        request: { portfolioId: exampleSite.portfolioId },
        response: exampleSite,
        responseHeaders
      })
    ),
    HttpApiEndpoint.delete("delete", "/api/sites/:id", { params, headers: IfMatch, error: refusals }).annotateMerge(
      operation({
        id: "deleteSite",
        scopes: neededScopes.sites.delete,
        summary: "Delete a site",
        problems: ["validation_failed", ...ifMatchProblems, "site_not_found"]
      })
    )
  )
  .middleware(Authentication)
  .annotate(PathResource, "site_not_found")
  .annotateMerge(OpenApi.annotations({ title: "Sites", description: "Anything with more than one solar panel." })) {}

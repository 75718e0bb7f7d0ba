/**
 * The endpoints of coverage: how far sites have the documents that they need (specification,
 * section 11).
 */
import { CoverageSummary, ListCoverage, neededScopes, SiteCoverage, SummariseCoverage } from "@solar-sites/core/model"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authentication } from "./Authentication.ts"
import { inQuery, listOf } from "./Conditions.ts"
import { exampleSiteCoverage, exampleSummary } from "./CoverageExamples.ts"
import { operation } from "./Operation.ts"
import { refusals } from "./Problems.ts"

export class CoverageApi extends HttpApiGroup.make("coverage")
  .add(
    HttpApiEndpoint.get("list", "/api/coverage", {
      query: inQuery(ListCoverage),
      success: listOf(SiteCoverage),
      error: refusals
    }).annotateMerge(
      operation({
        id: "listCoverage",
        compressible: true,
        csv: true,
        scopes: neededScopes.coverage.list,
        summary: "List the coverage of sites",
        description:
          "Oldest site first, items in the order of the requirements. `state` and `documentType` keep the sites that have one item fulfilling both, with all their items. `asOf` is another day than today (UTC). Without `limit` the list is complete.",
        problems: ["validation_failed"],
        response: { data: [exampleSiteCoverage], nextCursor: null }
      })
    ),
    HttpApiEndpoint.get("summary", "/api/coverage/summary", {
      query: SummariseCoverage.fields,
      success: CoverageSummary,
      error: refusals
    }).annotateMerge(
      operation({
        id: "summariseCoverage",
        compressible: true,
        scopes: neededScopes.coverage.summary,
        summary: "Count sites by coverage",
        description: "Numbers of sites per required document type and state, on `asOf` or today (UTC).",
        problems: ["validation_failed"],
        response: exampleSummary
      })
    )
  )
  .middleware(Authentication)
  .annotateMerge(
    OpenApi.annotations({ title: "Coverage", description: "How far sites have the documents that they need." })
  ) {}

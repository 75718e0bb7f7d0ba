/**
 * The endpoints of coverage: how far sites have the documents that they need (specification,
 * section 11).
 */
import { operations } from "@solar-sites/core/model"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authentication } from "./Authentication.ts"
import { exampleSiteCoverage, exampleSummary } from "./CoverageExamples.ts"
import { operation } from "./Operation.ts"
import { conditional, partsOf } from "./Parts.ts"

const { coverage } = operations

export class CoverageApi extends HttpApiGroup.make("coverage")
  .add(
    HttpApiEndpoint.get("list", "/api/coverage", conditional(partsOf(coverage.list))).annotateMerge(
      operation(coverage.list, {
        id: "listCoverage",
        compressible: true,
        csv: true,
        summary: "List the coverage of sites",
        description:
          "Oldest site first, items in the order of the requirements. `state` and `documentType` keep the sites that have one item fulfilling both, with all their items. `asOf` is another day than today (UTC). Without `limit` the list is complete.",
        response: { data: [exampleSiteCoverage], nextCursor: null }
      })
    ),
    HttpApiEndpoint.get("summary", "/api/coverage/summary", conditional(partsOf(coverage.summary))).annotateMerge(
      operation(coverage.summary, {
        id: "summariseCoverage",
        compressible: true,
        summary: "Count sites by coverage",
        description: "Numbers of sites per required document type and state, on `asOf` or today (UTC).",
        response: exampleSummary
      })
    )
  )
  .middleware(Authentication)
  .annotateMerge(
    OpenApi.annotations({ title: "Coverage", description: "Required documents per site, and their states." })
  ) {}

/** The endpoints of required documents (specification, section 11). */
import { DocumentRequirements, neededScopes, ReplaceRequirements } from "@solar-sites/core/model"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authentication } from "./Authentication.ts"
import { IfMatch } from "./Conditions.ts"
import { exampleRequirements } from "./CoverageExamples.ts"
import { bodyProblems, ifMatchProblems, operation } from "./Operation.ts"
import { refusals } from "./Problems.ts"

const responseHeaders = { etag: "The version of the list, to be sent back in If-Match." }

export class RequirementsApi extends HttpApiGroup.make("requirements")
  .add(
    HttpApiEndpoint.get("get", "/api/document-requirements", {
      success: DocumentRequirements,
      error: refusals
    }).annotateMerge(
      operation({
        id: "getDocumentRequirements",
        scopes: neededScopes.requirements.get,
        summary: "Read the document requirements",
        description: "One list per organisation; empty and of version 0 until it is replaced for the first time.",
        problems: ["validation_failed"],
        response: exampleRequirements,
        responseHeaders
      })
    ),
    HttpApiEndpoint.put("replace", "/api/document-requirements", {
      headers: IfMatch,
      payload: ReplaceRequirements,
      success: DocumentRequirements,
      error: refusals
    }).annotateMerge(
      operation({
        id: "replaceDocumentRequirements",
        scopes: neededScopes.requirements.replace,
        summary: "Replace the document requirements",
        description:
          "The whole list, at most 200. A requirement without `portfolioId` is for all sites; where one of a portfolio names the same type, that one counts. An equal list changes nothing.",
        problems: [...bodyProblems, ...ifMatchProblems, "portfolio_not_found"],
        request: { requirements: exampleRequirements.requirements },
        response: exampleRequirements,
        responseHeaders
      })
    )
  )
  .middleware(Authentication)
  .annotateMerge(
    OpenApi.annotations({ title: "Document requirements", description: "The documents that each site needs." })
  ) {}

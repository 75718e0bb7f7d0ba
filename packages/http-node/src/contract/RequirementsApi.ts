/** The endpoints of required documents (specification, section 11). */
import { maximumRequirements, operations } from "@solar-sites/core/model"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authentication } from "./Authentication.ts"
import { exampleRequirements } from "./CoverageExamples.ts"
import { operation } from "./Operation.ts"
import { partsOf } from "./Parts.ts"

const { requirements } = operations

const responseHeaders = { etag: "The version of the list, to be sent back in If-Match." }

export class RequirementsApi extends HttpApiGroup.make("requirements")
  .add(
    HttpApiEndpoint.get("get", "/api/document-requirements", partsOf(requirements.get)).annotateMerge(
      operation(requirements.get, {
        id: "getDocumentRequirements",
        summary: "Read the document requirements",
        description:
          "An organisation has one list. It is empty and has version 0 until it is replaced for the first time.",
        response: exampleRequirements,
        responseHeaders
      })
    ),
    HttpApiEndpoint.put("replace", "/api/document-requirements", partsOf(requirements.replace)).annotateMerge(
      operation(requirements.replace, {
        id: "replaceDocumentRequirements",
        summary: "Replace the document requirements",
        description: `The whole list, at most ${maximumRequirements}. A requirement without \`portfolioId\` is for all sites; where one of a portfolio names the same type, that one counts. An equal list changes nothing.`,
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

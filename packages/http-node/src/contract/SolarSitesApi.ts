/**
 * The whole HTTP contract. Server, OpenAPI document, client and tests derive
 * from it.
 */
import { HttpApi, OpenApi } from "effect/http-api"
import { CoverageApi } from "./CoverageApi.ts"
import { DocumentsApi } from "./DocumentsApi.ts"
import { EventsApi } from "./EventsApi.ts"
import { tidyDocument } from "./OpenApiDocument.ts"
import { PortfoliosApi } from "./PortfoliosApi.ts"
import { RequirementsApi } from "./RequirementsApi.ts"
import { SitesApi } from "./SitesApi.ts"
import { SystemApi } from "./SystemApi.ts"
import { WebhooksApi } from "./WebhooksApi.ts"

export class SolarSitesApi extends HttpApi.make("solar-sites")
  .add(SitesApi)
  .add(PortfoliosApi)
  .add(DocumentsApi)
  .add(RequirementsApi)
  .add(CoverageApi)
  .add(EventsApi)
  .add(WebhooksApi)
  .add(SystemApi)
  .annotateMerge(
    OpenApi.annotations({
      title: "Solar Sites",
      version: "0.1.0",
      description:
        "Sites, portfolios and documents of solar installations, kept strictly apart per organisation. What belongs to another organisation answers as if it did not exist.",
      license: { name: "MIT", identifier: "MIT" },
      servers: [{ url: "/" }],
      transform: tidyDocument
    })
  ) {}

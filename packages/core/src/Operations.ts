/**
 * The table of operations: one row per operation of a caller.
 */
import type { OperationOptions } from "./caller/CallOptions.ts"
import { type DocumentOperations, documentOperations } from "./documents/DocumentOperations.ts"
import { type EventOperations, eventOperations } from "./events/EventOperations.ts"
import { type PortfolioOperations, portfolioOperations } from "./portfolios/PortfolioOperations.ts"
import {
  type CoverageOperations,
  coverageOperations,
  type RequirementOperations,
  requirementOperations
} from "./requirements/RequirementOperations.ts"
import { type SiteOperations, siteOperations } from "./sites/SiteOperations.ts"
import { type WebhookOperations, webhookOperations } from "./webhooks/WebhookOperations.ts"

/** By service and method. API keys are managed by callers without scopes alone, and have no rows. */
export const operations = {
  sites: siteOperations,
  portfolios: portfolioOperations,
  documents: documentOperations,
  requirements: requirementOperations,
  coverage: coverageOperations,
  events: eventOperations,
  webhooks: webhookOperations
}

/**
 * The operations that library and HTTP client have in common, of one caller, within the caller's
 * organisation: same names, arguments and results. `SolarSites.make(…).as(caller)` and
 * `makeClient(…)` of http-node both implement them. An id that is no UUID is the id of nothing.
 */
export interface SolarSitesOperations<Options extends OperationOptions = OperationOptions> {
  readonly sites: SiteOperations<Options>
  readonly portfolios: PortfolioOperations<Options>
  readonly documents: DocumentOperations<Options>
  readonly requirements: RequirementOperations<Options>
  readonly coverage: CoverageOperations<Options>
  readonly events: EventOperations<Options>
  readonly webhooks: WebhookOperations<Options>
}

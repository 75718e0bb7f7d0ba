/**
 * The table of operations: one row per operation of a caller.
 */
import { documentOperations } from "./documents/DocumentOperations.ts"
import { eventOperations } from "./events/EventOperations.ts"
import { portfolioOperations } from "./portfolios/PortfolioOperations.ts"
import { coverageOperations, requirementOperations } from "./requirements/RequirementOperations.ts"
import { siteOperations } from "./sites/SiteOperations.ts"
import { webhookOperations } from "./webhooks/WebhookOperations.ts"

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

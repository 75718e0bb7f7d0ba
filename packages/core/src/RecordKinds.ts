/**
 * All kinds of records.
 */
import { apiKeyKind } from "./api-keys/ApiKeyKind.ts"
import { documentKind, fileKind } from "./documents/DocumentKind.ts"
import { portfolioKind } from "./portfolios/PortfolioKind.ts"
import type { AnyKind } from "./records/RecordKind.ts"
import { requirementKind, requirementListKind } from "./requirements/RequirementKind.ts"
import { siteKind } from "./sites/SiteKind.ts"
import { webhookDeliveryKind } from "./webhooks/WebhookDeliveryKind.ts"
import { webhookKind } from "./webhooks/WebhookKind.ts"

/** The kinds that rules write. */
export const writtenKinds: ReadonlyArray<AnyKind> = [
  portfolioKind,
  siteKind,
  requirementListKind,
  requirementKind,
  documentKind,
  fileKind,
  apiKeyKind,
  webhookKind,
  webhookDeliveryKind
]

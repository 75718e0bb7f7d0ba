/**
 * All migrations, in the order in which they are applied. A published migration never changes.
 */
import * as initial from "./0001_initial.ts"
import * as documents from "./0002_documents.ts"
import * as idempotency from "./0003_idempotency.ts"
import * as fileClaims from "./0004_file_claims.ts"
import * as bounds from "./0005_bounds.ts"
import * as apiKeyLimits from "./0006_api_key_limits.ts"
import * as documentMetadata from "./0007_document_metadata.ts"
import * as requirements from "./0008_requirements.ts"
import * as events from "./0009_events.ts"
import * as webhooks from "./0010_webhooks.ts"
import * as apiKeyScopes from "./0011_api_key_scopes.ts"
import * as externalIds from "./0012_external_ids.ts"
import * as finding from "./0013_finding.ts"
import * as documentsWithoutTriggers from "./0014_documents_without_triggers.ts"
import * as records from "./0015_records.ts"
import * as deliveries from "./0016_deliveries.ts"
import * as validity from "./0017_validity.ts"
import * as apiKeyPortfolios from "./0018_api_key_portfolios.ts"
import * as deletedSites from "./0019_deleted_sites.ts"
import * as sitePositions from "./0020_site_positions.ts"
import * as documentOrders from "./0021_document_orders.ts"

/** `sql` returns the statements for a schema, given its quoted name. */
export interface Migration {
  readonly name: string
  readonly sql: (schema: string) => string
}

export const migrations: ReadonlyArray<Migration> = [
  { name: "0001_initial", sql: initial.sql },
  { name: "0002_documents", sql: documents.sql },
  { name: "0003_idempotency", sql: idempotency.sql },
  { name: "0004_file_claims", sql: fileClaims.sql },
  { name: "0005_bounds", sql: bounds.sql },
  { name: "0006_api_key_limits", sql: apiKeyLimits.sql },
  { name: "0007_document_metadata", sql: documentMetadata.sql },
  { name: "0008_requirements", sql: requirements.sql },
  { name: "0009_events", sql: events.sql },
  { name: "0010_webhooks", sql: webhooks.sql },
  { name: "0011_api_key_scopes", sql: apiKeyScopes.sql },
  { name: "0012_external_ids", sql: externalIds.sql },
  { name: "0013_finding", sql: finding.sql },
  { name: "0014_documents_without_triggers", sql: documentsWithoutTriggers.sql },
  { name: "0015_records", sql: records.sql },
  { name: "0016_deliveries", sql: deliveries.sql },
  { name: "0017_validity", sql: validity.sql },
  { name: "0018_api_key_portfolios", sql: apiKeyPortfolios.sql },
  { name: "0019_deleted_sites", sql: deletedSites.sql },
  { name: "0020_site_positions", sql: sitePositions.sql },
  { name: "0021_document_orders", sql: documentOrders.sql }
]

/**
 * The tables of record kinds.
 */
import type { AnyKind, OrganisationId } from "@solar-sites/core"
import { type PgText, sql, table } from "../client/PgText.ts"
import { apiKeyRecordTable } from "../tables/AccessTables.ts"
import { documentRecordTable, fileTable } from "../tables/DocumentTable.ts"
import { portfolioTable, withTotals } from "../tables/PortfolioTable.ts"
import { requirementListTable, requirementTable } from "../tables/RequirementTable.ts"
import { kilowatts, siteTable } from "../tables/SiteTable.ts"
import { deliveryRecordTable, webhookRecordTable, withLast } from "../tables/WebhookTable.ts"
import { existing, type RecordTable, recordTable } from "./RecordTable.ts"

const ofOrganisation = (organisationId: OrganisationId) => ({ organisationId })
const ofNothing = () => ({})

const kindTables: ReadonlyMap<string, RecordTable> = new Map(
  Object.entries({
    portfolio: recordTable(portfolioTable, ofOrganisation, {
      name: "portfolio",
      from: sql`(${withTotals("p.xmin, p.*")}) x`,
      searched: ["name", "externalId"],
      constraints: ["portfolio_pkey", "portfolio_external_id", "portfolio_organisation"]
    }),
    site: recordTable(siteTable, ofOrganisation, {
      name: "site",
      further: [{ name: "kilowatts_per_unit", value: (row) => kilowatts(`${row}.unit`), isKept: false }],
      searched: ["siteName", "address", "externalId"],
      constraints: ["site_pkey", "site_external_id", "site_organisation", "site_portfolio"]
    }),
    requirement_list: recordTable(requirementListTable, ofNothing, {
      name: "requirement_list",
      id: "organisation_id",
      constraints: ["requirement_list_pkey", "requirement_list_organisation"]
    }),
    requirement: recordTable(requirementTable, ofNothing, {
      name: "requirement",
      id: "position",
      kept: ["position"],
      constraints: ["requirement_pkey", "requirement_portfolio"]
    }),
    document: recordTable(documentRecordTable, ofOrganisation, {
      name: "document",
      searched: ["filename", "note"],
      constraints: ["document_pkey", "document_site"],
      bounds: { pendingDocuments: (row) => `${row}.look_at is not null` }
    }),
    file: recordTable(fileTable, ofOrganisation, {
      name: "deleted_file",
      id: "document_id",
      constraints: ["deleted_file_pkey"]
    }),
    api_key: recordTable(apiKeyRecordTable, ofOrganisation, {
      name: "api_key",
      constraints: ["api_key_organisation"],
      bounds: { liveApiKeys: (row, at) => `${row}.expires_at > ${at}` }
    }),
    webhook: recordTable(webhookRecordTable, ofOrganisation, {
      name: "webhook",
      from: sql`${withLast} x`,
      constraints: ["webhook_pkey", "webhook_organisation"]
    }),
    webhook_delivery: recordTable(deliveryRecordTable, ofOrganisation, {
      name: "webhook_delivery",
      kept: ["webhook_id"],
      constraints: ["webhook_delivery_pkey", "webhook_delivery_id", "webhook_delivery_webhook"]
    })
  })
)

const referenceTables: ReadonlyMap<string, RecordTable> = new Map(
  Object.entries({
    organisation: existing("organisation", "id"),
    portfolio: existing("portfolio", "organisation_id"),
    site: existing("site", "organisation_id"),
    document: existing("document", "organisation_id"),
    webhook: existing("webhook", "organisation_id")
  })
)

/** The table of a kind. */
export const tableOf = ({ isExistence, name }: Pick<AnyKind, "name" | "isExistence">): RecordTable => {
  const table = (isExistence ? referenceTables : kindTables).get(name)
  if (table === undefined) throw new Error(`${name} has no table`)
  return table
}

/** Whether the constraint says that a commit was stale. A removal can break a reference of any other kind. */
export const isRecordConstraint = (constraint: string): boolean =>
  [...kindTables.values()].some(({ constraints }) => constraints.includes(constraint))

/** In the order in which every statement locks their rows. */
export const lockOrder = [
  "organisation",
  "portfolio",
  "site",
  "requirement_list",
  "requirement",
  "document",
  "file",
  "webhook",
  "webhook_delivery",
  "api_key"
]

/** SQL of the number of records for which a bound holds, at most `maximum`. */
export const countOf = (kind: AnyKind, bound: string, organisation: string, at: string, maximum: number): PgText => {
  const { bounds, name, owner } = tableOf(kind)
  return sql`(select count(*) from (
    select from ${table(name)} x
    where x.${owner} = ${organisation} and ${bounds[bound]?.("x", at) ?? "true"} limit ${maximum}
  ) counted)`
}

/**
 * The tables of record kinds.
 */
import type { AnyKind, OrganisationId, Stale } from "@solar-sites/core"
import { type PgText, sql, table } from "../client/PgText.ts"
import { apiKeyRecordTable, organisationTable } from "../tables/AccessTables.ts"
import { documentRecordTable, fileTable } from "../tables/DocumentTable.ts"
import { portfolioTable, withTotals } from "../tables/PortfolioTable.ts"
import { requirementListTable, requirementTable } from "../tables/RequirementTable.ts"
import { kilowatts, siteTable } from "../tables/SiteTable.ts"
import { deliveryRecordTable, webhookRecordTable, withLast } from "../tables/WebhookTable.ts"
import { existing, type RecordTable, recordTable } from "./RecordTable.ts"

const ofOrganisation = (organisationId: OrganisationId) => ({ organisationId })
const ofNothing = () => ({})

const coreTables: Readonly<Record<string, RecordTable>> = {
  organisation: recordTable(organisationTable, ofNothing, { name: "organisation", owner: "id" }),
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
}

const coreReferences: Readonly<Record<string, RecordTable>> = {
  organisation: existing("organisation", "id"),
  portfolio: existing("portfolio", "organisation_id"),
  site: existing("site", "organisation_id"),
  document: existing("document", "organisation_id"),
  webhook: existing("webhook", "organisation_id")
}

/** A record kind of an application, and its table. Made by `kindTable`. */
export interface KindTable {
  readonly kind: AnyKind
  readonly table: RecordTable
}

/** The tables of all record kinds. */
export interface RecordTables {
  readonly tableOf: (kind: Pick<AnyKind, "name" | "isExistence">) => RecordTable
  /** Whether the constraint says that a commit was stale. A removal can break a reference of any other kind. */
  readonly isConstraint: (constraint: string) => boolean
  /** The kind and the member of a constraint on values that are unique in all organisations. */
  readonly takenBy: (constraint: string) => Stale["taken"]
  /** Names of kinds in the order in which every statement locks their rows. */
  readonly lockOrder: ReadonlyArray<string>
}

/** Applications lock rows of their own between the organisation and the records of core. */
const coreOrder = [
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

/** The tables of core and those of an application. Rows of the latter are locked in the order of `further`. */
export const recordTables = (further: ReadonlyArray<KindTable> = []): RecordTables => {
  const own = new Map(further.map(({ kind, table }) => [kind.name, table]))
  const isDefinedTwice = own.size < further.length || [...own.keys()].some((name) => Object.hasOwn(coreTables, name))
  if (isDefinedTwice) throw new TypeError("two record kinds have the same name")
  const tables = new Map([...Object.entries(coreTables), ...own])
  const references = new Map([
    ...Object.entries(coreReferences),
    ...[...own].map(([name, { id, name: table, owner }]) => [name, existing(table, owner, id)] as const)
  ])
  const constraints = new Set([...tables.values()].flatMap(({ constraints }) => constraints))
  const taken = new Map(
    [...tables].flatMap(([kind, { everywhere }]) =>
      Object.entries(everywhere).map(([constraint, member]) => [constraint, { kind, member }] as const)
    )
  )
  return {
    tableOf: ({ isExistence, name }) => {
      const found = (isExistence ? references : tables).get(name)
      if (found === undefined) throw new Error(`${name} has no table`)
      return found
    },
    isConstraint: (constraint) => constraints.has(constraint) || taken.has(constraint),
    takenBy: (constraint) => taken.get(constraint),
    lockOrder: ["organisation", ...own.keys(), ...coreOrder]
  }
}

/** SQL of the number of records for which a bound holds, at most `maximum`. */
export const countOf = (
  { bounds, name, owner }: RecordTable,
  bound: string,
  organisation: string,
  at: string,
  maximum: number
): PgText => sql`(select count(*) from (
    select from ${table(name)} x
    where x.${owner} = ${organisation} and ${bounds[bound]?.("x", at) ?? "true"} limit ${maximum}
  ) counted)`

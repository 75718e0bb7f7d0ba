/**
 * The tables `organisation` and `api_key`.
 */
import {
  ApiKey,
  ApiKeyRecord,
  type ApiScope,
  apiScopes,
  hasAllScopes,
  Organisation,
  organisationMembers,
  type PortfolioId
} from "@solar-sites/core"
import { bytes, type Column, instant, nullable, plain, text, uuid, uuids } from "./Column.ts"
import { makeTable, type Row } from "./Table.ts"

export const organisationTable = makeTable(Organisation, [], {
  id: uuid("id"),
  name: text("name"),
  status: text("status")
})

export type OrganisationRow = Row<Organisation>

/** SQL of an event about a change of an organisation: its rows before and after. */
export const organisationEvent = (before: string, after: string) => ({
  subjectId: `${after}.id`,
  subjectName: `${after}.name`,
  siteId: "null::uuid",
  changes: organisationTable.changes(organisationMembers, before, after)
})

/** Scopes as a parameter: in the table null means all, also those of later versions. */
const scopesParameter = (scopes: ReadonlyArray<ApiScope>): string | null =>
  hasAllScopes(scopes) ? null : `{${scopes.join(",")}}`

const scopes = (name: string): Column<ReadonlyArray<ApiScope>> => ({
  ...plain<ReadonlyArray<ApiScope>>(name, "text"),
  value: (row) => `coalesce(${row}.${name}, '{${apiScopes.join(",")}}'::text[])`,
  encode: scopesParameter,
  fromInput: (input) => `${input}::text::text[]`
})

const keyColumns = {
  id: uuid("id"),
  name: text("name"),
  prefix: text("prefix"),
  createdBy: nullable(text("created_by")),
  createdAt: instant("created_at"),
  expiresAt: instant("expires_at"),
  lastUsedAt: nullable(instant("last_used_at")),
  scopes: scopes("scopes"),
  portfolioIds: nullable(uuids<PortfolioId>("portfolio_ids"))
}

/** A key is found by its digest too, so that its organisation is selected. */
export const apiKeyTable = makeTable(ApiKey, [], { ...keyColumns, organisationId: uuid("organisation_id") })

export type ApiKeyRow = Row<ApiKey>

export const apiKeyRecordTable = makeTable(ApiKeyRecord, ["organisationId"], {
  ...keyColumns,
  digest: bytes("digest"),
  issuedUntil: { ...instant("issued_until"), value: (row) => `coalesce(${row}.issued_until, ${row}.expires_at)` }
})

/**
 * The tables `organisation` and `api_key`.
 */
import { ApiKey, Organisation } from "@solar-sites/core"
import { instant, nullable, text, uuid } from "./Column.ts"
import { makeTable, type Row } from "./Table.ts"

export const organisationTable = makeTable(Organisation, [], {
  id: uuid("id"),
  name: text("name"),
  status: text("status")
})

export type OrganisationRow = Row<Organisation>

/** A key is found by its digest too, so that its organisation is selected. */
export const apiKeyTable = makeTable(ApiKey, [], {
  id: uuid("id"),
  organisationId: uuid("organisation_id"),
  name: text("name"),
  prefix: text("prefix"),
  createdBy: nullable(text("created_by")),
  createdAt: instant("created_at"),
  expiresAt: instant("expires_at"),
  lastUsedAt: nullable(instant("last_used_at"))
})

export type ApiKeyRow = Row<ApiKey>

/**
 * The tables `organisation` and `api_key`.
 */
import {
  ApiKey,
  type ApiScope,
  apiKeyMembers,
  apiScopes,
  hasAllScopes,
  Organisation,
  organisationMembers
} from "@solar-sites/core"
import { type Column, instant, nullable, text, uuid } from "./Column.ts"
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
export const scopesParameter = (scopes: ReadonlyArray<ApiScope>): string | null =>
  hasAllScopes(scopes) ? null : `{${scopes.join(",")}}`

const scopes = (name: string): Column<ReadonlyArray<ApiScope>> => ({
  name,
  value: (row) => `coalesce(${row}.${name}, '{${apiScopes.join(",")}}'::text[])`,
  toJson: (value) => `to_json(${value})`,
  decoder: null,
  rewriter: null,
  encode: scopesParameter,
  inputType: "text",
  fromInput: (input) => `${input}::text::text[]`
})

/** A key is found by its digest too, so that its organisation is selected. */
export const apiKeyTable = makeTable(ApiKey, [], {
  id: uuid("id"),
  organisationId: uuid("organisation_id"),
  name: text("name"),
  prefix: text("prefix"),
  createdBy: nullable(text("created_by")),
  createdAt: instant("created_at"),
  expiresAt: instant("expires_at"),
  lastUsedAt: nullable(instant("last_used_at")),
  scopes: scopes("scopes")
})

export type ApiKeyRow = Row<ApiKey>

/** SQL of an event about a change of a key: its rows before and after, null for none; and the id of the key that
 * replaces it. */
export const apiKeyEvent = (before: string | null, after: string | null, replacement?: string) => {
  const row = after ?? before
  const replaced = replacement === undefined ? [] : [`'"replacedBy":{"from":null,"to":"' || ${replacement} || '"}'`]
  return {
    subjectId: `${row}.id`,
    subjectName: `${row}.name`,
    siteId: "null::uuid",
    changes: apiKeyTable.changes(apiKeyMembers, before, after, ...replaced)
  }
}

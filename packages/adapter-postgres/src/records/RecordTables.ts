/**
 * The tables of record kinds: what `load` and `commit` need of each beyond its columns.
 */
import type { OrganisationId } from "@solar-sites/core"
import { kilowatts, type SiteRow, siteTable } from "../tables/SiteTable.ts"
import type { Row } from "../tables/Table.ts"

export interface RecordTable {
  readonly name: string
  /** The column of the organisation. */
  readonly owner: string
  /** SQL of a loaded row as the text of JSON. */
  readonly row: (row: string) => string
  readonly read: (organisationId: OrganisationId, row: Row<unknown>) => object
  /** SQL of the name of a member's column. */
  readonly column: (member: string) => string
  /** The columns that a write sets, with SQL of their values in a row of `inputTypes`. */
  readonly columns: ReadonlyArray<{ readonly name: string; readonly value: (row: string) => string }>
  readonly inputTypes: string
  /** The record as the text of a JSON object. */
  readonly input: (record: object) => string
  /** Members with text that lists search. Their generated column is costly to compute. */
  readonly searched: ReadonlyArray<string>
  /** Constraints that say that a commit was stale. */
  readonly constraints: ReadonlyArray<string>
}

type AnyTable = typeof siteTable

/** The columns of a table as `RecordTable` has them. */
const written = (table: AnyTable, derived: RecordTable["columns"]): RecordTable["columns"] => [
  ...table.inserted.map((name, position) => ({
    name,
    value: (row: string) => `${table.insertedValues(row)[position]}`
  })),
  ...derived
]

/** The columns of members. */
const columnOf = (table: AnyTable): RecordTable["column"] => {
  const names = new Map(Object.entries(table.columns).map(([member, { name }]) => [member, name]))
  return (member) => names.get(member) ?? member
}

/** A kind that is read for its existence alone. */
const existing = (name: string, owner: string): RecordTable => ({
  name,
  owner,
  row: (row) => `('["' || ${row}.id || '"]')`,
  read: (_, [id]) => ({ id }),
  column: (member) => member,
  columns: [],
  inputTypes: "",
  input: () => "",
  searched: [],
  constraints: []
})

const site: RecordTable = {
  name: "site",
  owner: "organisation_id",
  row: siteTable.row,
  // A row of the table of a kind is a row of that kind.
  read: (organisationId, row) => siteTable.reader({ organisationId })(row as SiteRow),
  column: columnOf(siteTable),
  columns: written(siteTable, [{ name: "kilowatts_per_unit", value: (row) => kilowatts(`${row}.unit`) }]),
  inputTypes: siteTable.inputTypes,
  input: siteTable.input,
  searched: ["siteName", "address", "externalId"],
  constraints: ["site_external_id", "site_organisation", "site_portfolio"]
}

const tables: ReadonlyMap<string, RecordTable> = new Map(
  [existing("organisation", "id"), existing("portfolio", "organisation_id"), site].map((table) => [table.name, table])
)

/** The table of a kind. */
export const tableOf = (kind: string): RecordTable => {
  const table = tables.get(kind)
  if (table === undefined) throw new Error(`${kind} has no table`)
  return table
}

/**
 * Tables of applications: their record kinds are loaded and committed as those of core, in one change with them
 * (docs/decisions/0056).
 */
import type { OrganisationId, RecordKind } from "@solar-sites/core"
import type { PgText } from "../client/PgText.ts"
import { type Columns, type ModelClass, makeTable, type Table } from "../tables/Table.ts"
import { recordTable } from "./RecordTable.ts"
import type { KindTable } from "./RecordTables.ts"

/** A record of an organisation, which the column `organisation_id` has. */
interface OwnedRecord {
  readonly id: string
  readonly organisationId: OrganisationId
}

type Given = "organisationId"

export interface KindTableDetails {
  /** The table in the schema of the client. A migration of the application creates it. */
  readonly name: string
  /** The column of the id. Default: `id`. */
  readonly id?: string
  /** SQL of the rows that are loaded, as `x`, with `xmin` and the values of computed columns. Default: the table. */
  readonly from?: PgText
  /** Columns that are written on creation alone, beside `id` and `created_at`. */
  readonly kept?: ReadonlyArray<string>
  /** Constraints and unique indexes of the kind's unique values and references. */
  readonly constraints: ReadonlyArray<string>
  /** The members of the kind's `everywhere`, by the constraints that keep their values unique. */
  readonly everywhere?: Readonly<Record<string, string>>
}

/**
 * The table of a kind. Its columns are those of `PgColumn`. Its organisation refers to the table `organisation`; on
 * Citus the table stays on the coordinator.
 */
export const kindTable = <R extends OwnedRecord>(
  kind: RecordKind<R>,
  model: ModelClass<R>,
  columns: Columns<Omit<R, Given>>,
  details: KindTableDetails
): KindTable => {
  const declared: Table<R, Given> = makeTable(model, ["organisationId"], columns)
  // The compiler does not see that each further member of R has its column.
  const table = declared as unknown as Table<OwnedRecord, Given>
  return {
    kind,
    table: recordTable(table, (organisationId) => ({ organisationId }), { ...details, locksOrganisation: true })
  }
}

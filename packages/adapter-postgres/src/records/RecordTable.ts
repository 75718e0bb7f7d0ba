/**
 * What `load`, `commit` and `list` need of the table of a record kind beyond its columns.
 */
import type { OrganisationId, Page, PageRequest, RepositoryError } from "@solar-sites/core"
import type { Effect } from "effect"
import { type PgText, sql, table } from "../client/PgText.ts"
import { equal } from "../lists/PgConditions.ts"
import { pages } from "../lists/PgPages.ts"
import type { PgClient } from "../PgClient.ts"
import type { Row, Table } from "../tables/Table.ts"

/** A list of an organisation, or of the records with a value of a member. */
type PgList = (
  organisationId: OrganisationId,
  page: PageRequest<string>,
  of?: string
) => Effect.Effect<Page<object>, RepositoryError>

export interface RecordTable {
  readonly name: string
  /** The column of the organisation. */
  readonly owner: string
  /** The column of the id. */
  readonly id: string
  /** SQL of the rows that are loaded, as `x`. */
  readonly from: PgText
  /** SQL of a loaded row `x` as the text of JSON. */
  readonly row: string
  readonly read: (organisationId: OrganisationId, row: Row<unknown>) => object
  /** The value of a member that records are found by, in a row. */
  readonly valueIn: (organisationId: OrganisationId, row: Row<unknown>, member: string) => unknown
  /** Makes a list; `of` is the member that its records share. */
  readonly list: (client: PgClient["Service"], operation: string, of: string | undefined) => PgList
  /** SQL of the name of a member's column. */
  readonly column: (member: string) => string
  readonly isUuid: (member: string) => boolean
  /** SQL of the stored value of a member, given the SQL of its input. */
  readonly stored: (member: string, input: string) => string
  /**
   * The columns that a write sets, with SQL of their values in a row of `inputTypes`. A kept one is set on
   * creation alone.
   */
  readonly columns: ReadonlyArray<{
    readonly name: string
    readonly value: (row: string) => PgText | string
    readonly isKept: boolean
  }>
  readonly inputTypes: string
  /** The record as the text of a JSON object. */
  readonly input: (record: object) => string
  /** Members with text that lists search. Their generated column is costly to compute. */
  readonly searched: ReadonlyArray<string>
  /** Constraints that say that a commit was stale. */
  readonly constraints: ReadonlyArray<string>
  /** Members with values that are unique in all organisations, by their constraints. */
  readonly everywhere: Readonly<Record<string, string>>
  /**
   * Commits lock the organisation first, as its deletion does. A table needs it when its rows refer to the
   * organisation and are locked by statements without an event.
   */
  readonly locksOrganisation: boolean
  /** SQL conditions of the bounds of the kind, given a row and an instant. */
  readonly bounds: Readonly<Record<string, (row: string, at: string) => string>>
}

/** Declaration of a table with any members. */
interface Declared {
  readonly columns: Readonly<
    Record<
      string,
      {
        readonly name: string | null
        readonly inputType: string
        readonly fromInput: (input: string) => string
      }
    >
  >
  readonly row: (row: string) => string
  readonly inserted: ReadonlyArray<string>
  readonly insertedValues: (row: string) => ReadonlyArray<string>
  readonly inputTypes: string
  readonly input: (record: object) => string
}

type Optional = "owner" | "id" | "from" | "searched" | "constraints" | "everywhere" | "locksOrganisation" | "bounds"

export interface Details extends Partial<Pick<RecordTable, Optional>> {
  readonly name: string
  /** Columns beyond those of members. */
  readonly further?: RecordTable["columns"]
  readonly kept?: ReadonlyArray<string>
}

/** Not written after the creation. */
const keptColumns = ["id", "created_at"]

const withoutDetails = { searched: [], constraints: [], everywhere: {}, locksOrganisation: false, bounds: {} }

export const recordTable = <Model extends { readonly id: string }, Given extends Exclude<keyof Model, "id"> = never>(
  declaration: Table<Model, Given>,
  given: (organisationId: OrganisationId) => Pick<Model, Given>,
  { further = [], kept = [], ...details }: Details
): RecordTable => {
  const { columns, input, inputTypes, inserted, insertedValues, row }: Declared = declaration as unknown as Declared
  const columnOf = (member: string) => columns[member]
  const { from = sql`${table(details.name)} x`, id = "id", owner = "organisation_id" } = details
  const column = (member: string) => columnOf(member)?.name ?? (member === "organisationId" ? owner : member)
  const isKept = (name: string) => keptColumns.includes(name) || kept.includes(name)
  return {
    row: row("x"),
    // A row of the table of a kind is a row of that kind.
    read: (organisationId, found) => declaration.reader(given(organisationId))(found as Row<Model>) as object,
    valueIn: (organisationId, found, member) => {
      const position = declaration.positionOf(member as keyof Model)
      return position < 0 ? Reflect.get(given(organisationId), member) : found[position]
    },
    list: (client, operation, of) => {
      // Callers see other members than those that are stored.
      const list = pages(client, { operation, table: declaration, from, id, isShownAsStored: () => false })
      return (organisationId, page, value) => {
        const leading = of === undefined ? [] : [equal(column(of), "uuid", value)]
        return list({ organisationId, leading, page }, given(organisationId))
      }
    },
    column,
    isUuid: (member) => member === "organisationId" || columnOf(member)?.inputType === "uuid",
    stored: (member, input) => columnOf(member)?.fromInput(input) ?? input,
    columns: [
      ...inserted
        .map((name, position) => ({
          name,
          value: (from: string) => `${insertedValues(from)[position]}`,
          isKept: isKept(name)
        }))
        .filter(({ name }) => name !== owner),
      ...further
    ],
    inputTypes,
    input,
    ...withoutDetails,
    ...details,
    owner,
    from,
    id
  }
}

/** A kind that is read for its existence alone. */
export const existing = (name: string, owner: string, id = "id"): RecordTable => ({
  name,
  owner,
  id,
  from: sql`${table(name)} x`,
  row: `('["' || x.${id} || '"]')`,
  read: (_, [id]) => ({ id }),
  valueIn: (_, [id]) => id,
  list: () => {
    throw new Error(`only the existence of a ${name} is read`)
  },
  column: (member) => member,
  isUuid: () => true,
  stored: (_, input) => input,
  columns: [],
  inputTypes: "",
  input: () => "",
  ...withoutDetails
})

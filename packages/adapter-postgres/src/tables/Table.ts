/**
 * One declaration per resource: the columns of its members. Everything that statements need of the
 * table is derived from it. Rows are sent as JSON arrays of the selected members.
 */
import { maximumAddedMembers } from "@solar-sites/core"
import { type Column, once } from "./Column.ts"

declare const modelOf: unique symbol

/** A row as `Table.row` selects it. Only its own table can read it. */
export interface Row<Model> extends ReadonlyArray<unknown> {
  readonly [modelOf]?: Model
}

type Plain<Value> = Value extends string ? string : Value extends number ? number : Value

/** One column per member. A missing or extra member, or one of another type, does not compile. */
export type Columns<Members> = { readonly [Member in keyof Members]: Column<Plain<Members[Member]>> }

/**
 * A stored column: the member of the model, the name of the column and its SQL type. `absent` is the
 * JSON value of a row that was copied before the column existed; without it, every row has a value.
 */
export interface StoredColumn {
  readonly member: string
  readonly name: string
  readonly type: string
  readonly absent?: unknown
}

/** A column of any type. The declaration has checked its type. */
type AnyColumn = Omit<Column<unknown>, "encode"> & { readonly encode: (value: never) => unknown }

/** The order and the form of members in JSON. */
export interface PageMembers {
  /** Members in the order of the model; `column` is null for a given member. */
  readonly members: ReadonlyArray<{ readonly name: string; readonly column: Pick<AnyColumn, "rewriter"> | null }>
}

/** `Given` are the members that are not selected, since the statement is about one value of each. */
export interface Table<Model, Given extends keyof Model = never> extends PageMembers {
  readonly columns: Columns<Omit<Model, Given>>
  /** SQL of the selected values of a row, each as JSON. */
  readonly values: (row: string) => ReadonlyArray<string>
  /** SQL of a row as the text of a JSON array. */
  readonly row: (row: string) => string
  /** SQL of all rows, given their name, as the text of a JSON array; null without rows. */
  readonly rows: (row: string, order?: string) => string
  /** Makes a reader of rows that share the given values. */
  readonly reader: (given: Pick<Model, Given>) => (row: Row<Model>) => Model
  /** The position of a member in `values`; -1 for a given one. */
  readonly positionOf: (member: keyof Model) => number

  readonly stored: ReadonlyArray<StoredColumn>
  /** The columns that an insert writes. */
  readonly inserted: ReadonlyArray<string>
  /** SQL of their values from a row of `jsonb_to_recordset(…) as row (inputTypes)`. */
  readonly insertedValues: (row: string) => ReadonlyArray<string>
  readonly inputTypes: string
  /** The columns that callers set: all that are written except ids, instants and version. */
  readonly settable: ReadonlyArray<string>
  /** JSON text of the present members under the names of their columns. */
  readonly input: (members: { readonly [Member in keyof Model]?: Model[Member] | undefined }) => string
  /** The same for a new row, without nulls. */
  readonly newInput: (members: { readonly [Member in keyof Model]?: Model[Member] | undefined }) => string
  /**
   * SQL of the text of a JSON object with `{ from, to }` of the members that differ between two rows.
   * Null is the state before creation or after deletion. `further` is SQL of one more member.
   */
  readonly changes: (
    members: ReadonlyArray<Exclude<keyof Model, Given> & string>,
    before: string | null,
    after: string | null,
    further?: string
  ) => string
}

const ownedByStatements = new Set(["id", "createdAt", "updatedAt", "version"])

/** The class of a model. */
export interface ModelClass<Model> {
  readonly prototype: Model
  readonly fields: { readonly [Member in keyof Model]: unknown }
}

/** `given` are names of the members without a column. */
export const makeTable = <Model extends object, const Given extends keyof Model = never>(
  model: ModelClass<Model>,
  _given: ReadonlyArray<Given>,
  columns: Columns<Omit<Model, Given>>
): Table<Model, Given> => {
  const columnOf = new Map<string, AnyColumn>(Object.entries(columns))
  const names = Object.keys(model.fields)
  const members = names.map((name) => ({ name, column: columnOf.get(name) ?? null }))
  const selected = members.flatMap(({ column, name }) => (column === null ? [] : [{ name, column }]))
  const written = selected.flatMap(({ column, name }) =>
    column.name === null ? [] : [{ name, column, columnName: column.name }]
  )
  const positionOf = (member: PropertyKey) => selected.findIndex(({ name }) => name === member)

  const values = (row: string) => selected.map(({ column }) => column.toJson(column.value(row)))
  const row = (from: string) => `('[' || concat_ws(',', ${values(from).join(", ")}) || ']')`

  const reader: Table<Model, Given>["reader"] = (given) => {
    const make = once<(json: unknown) => unknown>()
    const fields = members.map(({ column, name }) => ({
      name,
      value: Reflect.get(given, name),
      position: positionOf(name),
      decode: make(column?.decoder)
    }))
    // A large model begins with all its members, so that none is added.
    const begun = names.length > maximumAddedMembers ? names.map((name) => [name, null]) : []
    const beginning: Readonly<Record<string, unknown>> = Object.fromEntries(begun)
    return (found) => {
      const result: Record<string, unknown> = { __proto__: model.prototype, ...beginning }
      for (const { decode, name, position, value } of fields) {
        result[name] = position < 0 ? value : decode === null ? found[position] : decode(found[position])
      }
      // All members are set, and their values were checked before they were stored.
      return result as Model
    }
  }

  const inputOf = (given: object, hasNulls: boolean) => {
    const input: Record<string, unknown> = {}
    for (const { column, columnName, name } of written) {
      const value: unknown = Reflect.get(given, name)
      // The declaration has a column of the member's type for each member.
      if (value !== undefined && (hasNulls || value !== null)) input[columnName] = column.encode(value as never)
    }
    return JSON.stringify(input)
  }

  return {
    columns,
    members,
    values,
    row,
    rows: (from, order = "") => `('[' || string_agg(${row(from)}, ',' ${order}) || ']')`,
    reader,
    positionOf,
    stored: written.map(({ column: { absent, inputType, storedType = inputType }, columnName, name }) => ({
      ...{ member: name, name: columnName, type: storedType },
      ...(absent === undefined ? {} : { absent })
    })),
    inserted: written.map(({ columnName }) => columnName),
    insertedValues: (from) => written.map(({ column, columnName }) => column.fromInput(`${from}.${columnName}`)),
    inputTypes: written.map(({ column, columnName }) => `${columnName} ${column.inputType}`).join(", "),
    settable: written.flatMap(({ columnName, name }) => (ownedByStatements.has(name) ? [] : [columnName])),
    changes: (changed, before, after, ...further) => {
      const differences = changed.map((member) => {
        const column = columnOf.get(member)
        if (column === undefined) throw new Error(`${member} has no column`)
        const [from, to] = [before, after].map((state) =>
          state === null ? (column.empty ?? "null") : column.value(state)
        )
        // The SQL closes the text literal before it and opens the next one.
        const json = (state: string | null) =>
          state === null ? "null" : `', ${(column.toChangedJson ?? column.toJson)(column.value(state))}, '`
        // Postgres parses `concat` faster than operators between texts.
        return `case when ${from} is distinct from ${to}
          then concat('"${member}":{"from":${json(before)},"to":${json(after)}}') end`
      })
      return `('{' || concat_ws(',', ${[...differences, ...further].join(", ")}) || '}')`
    },
    input: (given) => inputOf(given, true),
    newInput: (given) => inputOf(given, false)
  }
}

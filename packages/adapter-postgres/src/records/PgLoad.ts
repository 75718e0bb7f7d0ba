/**
 * `Records.load`: one statement for all finds. Loads of one organisation that look for the same kinds share it.
 */
import {
  type AnyKind,
  type Find,
  type Found,
  foundOf,
  type LoadOptions,
  loadTooLarge,
  type Records,
  type RepositoryError,
  Revision
} from "@solar-sites/core"
import { Effect } from "effect"
import { textOf } from "../client/PgJsonStatement.ts"
import { type PgRows, reachOf, scopeOf } from "../client/PgStatement.ts"
import { joined, type PgText, sql, table } from "../client/PgText.ts"
import type { PgClient } from "../PgClient.ts"
import { instant, toMilliseconds, uuidsIn } from "../tables/SqlValues.ts"
import type { Row } from "../tables/Table.ts"
import { countOf, type RecordTables } from "./RecordTables.ts"

/** A row with its revision. */
type StoredRow = readonly [row: Row<unknown>, revision: string]

/** The rows of each find, null for more than its limit, then the last sequence, then whether each bound is full. */
type Answer = readonly [
  finds: ReadonlyArray<ReadonlyArray<StoredRow> | null>,
  last: number,
  full: ReadonlyArray<boolean>
]

/** The part of a load that its text depends on. */
const signatureOf = (finds: ReadonlyArray<Find>, { bounds, lastSequence }: LoadOptions): string =>
  JSON.stringify([
    finds.map(({ by, kind, maximumBytes, values }) => [
      kind.name,
      maximumBytes,
      kind.isExistence,
      by,
      "of" in values ? [values.of.kind.name, values.of.by, values.member] : null
    ]),
    bounds?.kind.name,
    lastSequence
  ])

const isShared = (finds: ReadonlyArray<Find>, options: LoadOptions): boolean =>
  finds.every(({ maximumBytes, values }) => !("of" in values) && maximumBytes === undefined) &&
  options.bounds === undefined

/** SQL of the given values of a find as an array; `parameter` is their text. */
const given = ({ tableOf }: RecordTables, { by, kind }: Find, parameter: string): string =>
  tableOf(kind).isUuid(by)
    ? uuidsIn(`${parameter}::text`)
    : `array(select ${tableOf(kind).stored(by, "v.value")} from json_array_elements_text(${parameter}::text::json) v)`

const columnBy = ({ tableOf }: RecordTables, { by, kind }: Find): string =>
  by === "id" ? tableOf(kind).id : tableOf(kind).column(by)

/** SQL of the values of a find as an array. */
const valuesOf = (tables: RecordTables, find: Find, parameter: string): PgText | string => {
  const { values } = find
  if (!("of" in values)) return given(tables, find, parameter)
  const { column, name, owner } = tables.tableOf(values.of.kind)
  return sql`array(
    select y.${column(values.member)} from ${table(name)} y
    where y.${owner} = $1::uuid and y.${columnBy(tables, values.of)} = any (${given(tables, values.of, parameter)})
  )`
}

/**
 * SQL of texts and whether one is cut: beyond so many bytes. The server stops there, since the count of cut texts
 * ascends. `offset 0` keeps it from making each text twice.
 */
const limited = (texts: PgText, bytes: number): PgText => sql`
  select z.* from (
    select case when y.bytes <= ${bytes} then y.text end as text, y.bytes > ${bytes} as is_cut,
           count(*) filter (where y.bytes > ${bytes}) over (rows unbounded preceding) as cuts
    from (select w.text, sum(octet_length(w.text)) over (rows unbounded preceding) as bytes from (${texts} offset 0) w) y
  ) z
  where z.cuts <= 1`

/** SQL of the rows of one find as a JSON array; its values are the parameter at this position. */
const select = (tables: RecordTables, find: Find, position: number): PgText => {
  const { from, owner, row } = tables.tableOf(find.kind)
  const text = `'[' || ${row} || ',"' || x.xmin || '"]'`
  const rows = sql`${from} where x.${owner} = $1::uuid and x.${columnBy(tables, find)} = any (${valuesOf(tables, find, `$${position + 2}`)})`
  const { maximumBytes } = find
  return maximumBytes === undefined
    ? sql`(select '[' || coalesce(string_agg(${text}, ','), '') || ']' from ${rows})`
    : sql`(
        select case when bool_or(l.is_cut) then 'null' else '[' || coalesce(string_agg(l.text, ','), '') || ']' end
        from (${limited(sql`select ${text} as text from ${rows}`, maximumBytes)}) l
      )`
}

const parameterOf = ({ tableOf }: RecordTables, find: Find, values: ReadonlyArray<string>): string =>
  tableOf(find.kind).isUuid(find.by) ? `{${values.join(",")}}` : JSON.stringify(values)

const parameterOfFind = (tables: RecordTables, find: Find): string =>
  "of" in find.values ? parameterOfFind(tables, find.values.of) : parameterOf(tables, find, find.values)

/** SQL of whether a bound has no room. */
const isFull = ({ tableOf }: RecordTables, kind: AnyKind, at: string): ReadonlyArray<PgText> =>
  kind.bounds.map(
    ({ maximum, name }) =>
      sql`${maximum} <= ${countOf(tableOf(kind), name, "$1::uuid", at, maximum)} and ${at} is not null`
  )

const textFor = (tables: RecordTables, finds: ReadonlyArray<Find>, { bounds, lastSequence }: LoadOptions): PgText => {
  const last = sql`coalesce((select q.last from ${table("event_sequence")} q where q.organisation_id = $1::uuid), 0)`
  const at = instant(`$${finds.length + 2}`)
  const full = bounds === undefined ? [] : isFull(tables, bounds.kind, at)
  return sql`select concat('[[', concat_ws(',', ${joined([...finds.map((find, index) => select(tables, find, index)), "null"], ", ")}),
    '],', ${lastSequence ? last : "0"}, ',', ${full.length === 0 ? "'[]'" : sql`json_build_array(${joined(full, ", ")})`}, ']')`
}

const decode = (rows: PgRows): Answer => JSON.parse(textOf(rows) ?? "[[],0,[]]")

/** A load that other ones share. */
const sharing = (
  { batch }: PgClient["Service"],
  tables: RecordTables,
  operation: string,
  finds: ReadonlyArray<Find>,
  options: LoadOptions
) =>
  batch({
    operation,
    text: textFor(tables, finds, options),
    readOnly: true,
    parameters: (items: ReadonlyArray<ReadonlyArray<Find>>) =>
      finds.map((find, index) =>
        parameterOf(tables, find, [
          ...new Set(
            items.flatMap((item) => {
              const values = item[index]?.values ?? []
              return "of" in values ? [] : values
            })
          )
        ])
      ),
    decode
  })

const foundIn = (
  { tableOf }: RecordTables,
  operation: string,
  organisationId: Parameters<Records["Service"]["load"]>[1],
  finds: ReadonlyArray<Find>,
  { bounds }: LoadOptions,
  [answers, lastSequence, full]: Answer
): Effect.Effect<Found, RepositoryError> => {
  const tooLarge = finds.find((_, index) => answers[index] === null)
  if (tooLarge !== undefined) return Effect.fail(loadTooLarge(operation, { find: tooLarge }))
  const found = finds.map((find, index) => {
    const { by, kind, values } = find
    const { read, valueIn } = tableOf(kind)
    // Loads that share a statement get the rows of all of them, and read their own.
    const isAsked = (row: Row<unknown>) => "of" in values || values.includes(String(valueIn(organisationId, row, by)))
    const stored = (answers[index] ?? [])
      .filter(([row]) => isAsked(row))
      .map(([row, revision]) => ({ record: read(organisationId, row), revision: Revision(revision) }))
    return { find, stored }
  })
  const names = (bounds?.kind.bounds ?? []).flatMap(({ name }, index) => (full[index] === true ? [name] : []))
  return Effect.succeed(foundOf(found, { lastSequence, full: names }))
}

export const makeLoad = (client: PgClient["Service"], tables: RecordTables): Records["Service"]["load"] => {
  const { run } = client
  const shared = new Map<string, ReturnType<typeof sharing>>()
  const texts = new Map<string, PgText>()

  const load = (operation: string, organisationId: string, finds: ReadonlyArray<Find>, options: LoadOptions) => {
    const signature = signatureOf(finds, options)
    const reach = reachOf(organisationId, options.within)
    if (isShared(finds, options)) {
      const key = `${operation} ${signature}`
      const statement = shared.get(key) ?? sharing(client, tables, operation, finds, options)
      shared.set(key, statement)
      return statement(reach, "", finds)
    }
    const text = texts.get(signature) ?? textFor(tables, finds, options)
    texts.set(signature, text)
    const at = options.bounds === undefined ? [] : [toMilliseconds(options.bounds.at)]
    const parameters = [organisationId, ...finds.map((find) => parameterOfFind(tables, find)), ...at]
    return Effect.map(run({ operation, text, parameters, readOnly: true, scope: scopeOf(reach) }), decode)
  }

  return (operation, organisationId, finds, options = {}) =>
    Effect.flatMap(load(operation, organisationId, finds, options), (answer) =>
      foundIn(tables, operation, organisationId, finds, options, answer)
    )
}

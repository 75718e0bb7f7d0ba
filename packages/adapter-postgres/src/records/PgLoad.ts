/**
 * `Records.load`: one statement for all finds. Loads of one organisation that look for the same kinds share it.
 */
import {
  type AnyKind,
  type Find,
  type Found,
  foundOf,
  type LoadOptions,
  type Records,
  Revision
} from "@solar-sites/core"
import { Effect } from "effect"
import type { PgRows } from "../client/PgStatement.ts"
import type { PgClient } from "../PgClient.ts"
import { textOf } from "../repositories/PgJsonStatement.ts"
import { instant, toMilliseconds } from "../tables/SqlValues.ts"
import type { Row } from "../tables/Table.ts"
import { countOf, tableOf } from "./RecordTables.ts"

/** A row with its revision. */
type StoredRow = readonly [row: Row<unknown>, revision: string]

/** The rows of each find, then the last sequence, then whether each bound is full. */
type Answer = readonly [finds: ReadonlyArray<ReadonlyArray<StoredRow>>, last: number, full: ReadonlyArray<boolean>]

/** The part of a load that its text depends on. */
const signatureOf = (finds: ReadonlyArray<Find>, { bounds, lastSequence }: LoadOptions): string =>
  JSON.stringify([
    finds.map(({ by, kind, values }) => [
      kind.name,
      kind.isExistence,
      by,
      "of" in values ? [values.of.kind.name, values.of.by, values.member] : null
    ]),
    bounds?.kind.name,
    lastSequence
  ])

const isShared = (finds: ReadonlyArray<Find>, options: LoadOptions): boolean =>
  finds.every(({ values }) => !("of" in values)) && options.bounds === undefined

/** SQL of the given values of a find as an array; `parameter` is their text. */
const given = ({ by, kind }: Find, parameter: string): string =>
  by === "id" || tableOf(kind).isUuid(by)
    ? `${parameter}::text::uuid[]`
    : `array(select json_array_elements_text(${parameter}::text::json))`

const columnBy = ({ by, kind }: Find): string => (by === "id" ? tableOf(kind).id : tableOf(kind).column(by))

/** SQL of the values of a find as an array. */
const valuesOf = (schema: string, find: Find, parameter: string): string => {
  const { values } = find
  if (!("of" in values)) return given(find, parameter)
  const { column, name, owner } = tableOf(values.of.kind)
  return `array(
    select y.${column(values.member)} from ${schema}.${name} y
    where y.${owner} = $1::uuid and y.${columnBy(values.of)} = any (${given(values.of, parameter)})
  )`
}

/** SQL of the rows of one find as a JSON array; its values are the parameter at this position. */
const select = (schema: string, find: Find, position: number): string => {
  const { from, owner, row } = tableOf(find.kind)
  return `(select '[' || coalesce(string_agg('[' || ${row} || ',"' || x.xmin || '"]', ','), '') || ']'
    from ${from(schema)} where x.${owner} = $1::uuid and x.${columnBy(find)} = any (${valuesOf(schema, find, `$${position + 2}`)}))`
}

const parameterOf = (find: Find, values: ReadonlyArray<string>): string =>
  find.by === "id" || tableOf(find.kind).isUuid(find.by) ? `{${values.join(",")}}` : JSON.stringify(values)

const parameterOfFind = (find: Find): string =>
  "of" in find.values ? parameterOfFind(find.values.of) : parameterOf(find, find.values)

/** SQL of whether a bound has no room. */
const isFull = (schema: string, kind: AnyKind, at: string): ReadonlyArray<string> =>
  kind.bounds.map(
    ({ maximum, name }) => `${maximum} <= ${countOf(schema, kind, name, "$1::uuid", at, maximum)} and ${at} is not null`
  )

const textFor = (schema: string, finds: ReadonlyArray<Find>, { bounds, lastSequence }: LoadOptions): string => {
  const last = `coalesce((select q.last from ${schema}.event_sequence q where q.organisation_id = $1::uuid), 0)`
  const at = instant(`$${finds.length + 2}`)
  const full = bounds === undefined ? [] : isFull(schema, bounds.kind, at)
  return `select concat('[[', concat_ws(',', ${[...finds.map((find, index) => select(schema, find, index)), "null"].join(", ")}),
    '],', ${lastSequence ? last : "0"}, ',', ${full.length === 0 ? "'[]'" : `json_build_array(${full.join(", ")})`}, ']')`
}

const decode = (rows: PgRows): Answer => JSON.parse(textOf(rows) ?? "[[],0,[]]")

/** A load that other ones share. */
const sharing = (
  { batch, schema }: PgClient["Service"],
  operation: string,
  finds: ReadonlyArray<Find>,
  options: LoadOptions
) =>
  batch({
    operation,
    text: textFor(schema, finds, options),
    readOnly: true,
    parameters: (items: ReadonlyArray<ReadonlyArray<Find>>) =>
      finds.map((find, index) =>
        parameterOf(find, [
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
  organisationId: Parameters<Records["Service"]["load"]>[1],
  finds: ReadonlyArray<Find>,
  { bounds }: LoadOptions,
  [answers, lastSequence, full]: Answer
): Found =>
  foundOf(
    finds.map((find, index) => {
      const stored = (answers[index] ?? []).map(([row, revision]) => ({
        record: tableOf(find.kind).read(organisationId, row),
        revision: Revision(revision)
      }))
      const { values } = find
      // Loads that share a statement get the records of all of them.
      const isAsked = (record: object) => "of" in values || values.includes(String(Reflect.get(record, find.by)))
      return { find, stored: stored.filter(({ record }) => isAsked(record)) }
    }),
    {
      lastSequence,
      full: (bounds?.kind.bounds ?? []).flatMap(({ name }, index) => (full[index] === true ? [name] : []))
    }
  )

export const makeLoad = (client: PgClient["Service"]): Records["Service"]["load"] => {
  const { run, schema } = client
  const shared = new Map<string, ReturnType<typeof sharing>>()
  const texts = new Map<string, string>()

  const load = (operation: string, organisationId: string, finds: ReadonlyArray<Find>, options: LoadOptions) => {
    const signature = signatureOf(finds, options)
    if (isShared(finds, options)) {
      const key = `${operation} ${signature}`
      const statement = shared.get(key) ?? sharing(client, operation, finds, options)
      shared.set(key, statement)
      return statement(organisationId, "", finds)
    }
    const text = texts.get(signature) ?? textFor(schema, finds, options)
    texts.set(signature, text)
    const at = options.bounds === undefined ? [] : [toMilliseconds(options.bounds.at)]
    const parameters = [organisationId, ...finds.map(parameterOfFind), ...at]
    return Effect.map(run({ operation, text, parameters, readOnly: true, scope: { organisationId } }), decode)
  }

  return (operation, organisationId, finds, options = {}) =>
    Effect.map(load(operation, organisationId, finds, options), (answer) =>
      foundIn(organisationId, finds, options, answer)
    )
}

/**
 * The statement of a commit, for changes of the same form: the same kinds with the same actions.
 *
 * The revision of a row is its `xmin`: every statement that writes the row changes it. It is compared where
 * the row is locked, so that Postgres compares it again with the row that it has waited for. Rows are
 * locked by kind in one order, in each kind by id; rows that are referred to before them, and the number of
 * events last (docs/decisions/0027). When one row is not as expected, nothing is written.
 */
import type { AnyKind } from "@solar-sites/core"
import { quoteText } from "../client/PgSchema.ts"
import { changedTable, joined, literal, mainQuery, type PgText, routine, sql, table } from "../client/PgText.ts"
import { instant } from "../tables/SqlValues.ts"
import {
  type Action,
  after,
  hasParents,
  lockedOrganisation,
  lockedParents,
  type Part,
  parentsOf
} from "./CommitLocks.ts"
import { eventsFrom, writtenTypes } from "./PgEventLog.ts"
import { countOf, type RecordTables } from "./RecordTables.ts"

/** The input of a kind: a row per record. References that the change sets are in the columns `locked_`. */
export const inputOf = ({ tableOf }: RecordTables, kind: AnyKind, parameter: string): string => {
  const { column, inputTypes } = tableOf(kind)
  const locked = parentsOf(kind).map(({ member }) => `, locked_${column(member)} uuid`)
  return `input_${kind.name} as materialized (
    select * from json_to_recordset(${parameter}::text::json) as r (${inputTypes}, revision text, action text${locked.join("")})
  )`
}

const lockedRows = ({ tableOf }: RecordTables, { actions, kind }: Part, before: ReadonlyArray<string>): PgText => {
  const { id, name, owner } = tableOf(kind)
  return sql`rows_${kind.name} as materialized (
    select x.${id} as id from ${table(name)} x join input_${kind.name} i on i.${id} = x.${id}
    where x.${owner} = $1::uuid and x.xmin::text = i.revision${after(before)}
    order by x.${id}
    for ${actions.has("remove") ? "update" : "no key update"} of x
  )`
}

const isExpected = ({ actions, kind: { name } }: Part): ReadonlyArray<string> =>
  hasRows(actions)
    ? [`(select count(*) from rows_${name}) = (select count(*) from input_${name} i where i.revision is not null)`]
    : []

const hasRows = (actions: ReadonlySet<Action>): boolean =>
  actions.has("update") || actions.has("renamed") || actions.has("remove") || actions.has("read")

/**
 * SQL of the insert of rows of the input that meet a condition. Concurrent inserts of the same unique values wait
 * for each other, so all insert them in one order.
 */
export const insertion = ({ tableOf }: RecordTables, kind: AnyKind, condition: string): PgText => {
  const { column, columns, id, name, owner } = tableOf(kind)
  const order = [...kind.unique.map(column), id]
  return sql`insert into ${changedTable(name)} as x (${[owner, ...columns.map((one) => one.name)].join(", ")})
    select $1::uuid, ${joined(
      columns.map(({ value }) => value("i")),
      ", "
    )}
    from input_${kind.name} i ${condition}
    order by ${order.map((one) => `i.${one}`).join(", ")}`
}

const removal = ({ tableOf }: RecordTables, kind: AnyKind, condition: string): PgText => {
  const { id, name, owner } = tableOf(kind)
  return sql`delete from ${changedTable(name)} x using input_${kind.name} i, agreed
    where x.${owner} = $1::uuid and x.${id} = i.${id} and ${condition}
    returning x.${id}`
}

const update = ({ tableOf }: RecordTables, { actions, kind }: Part, condition: string): PgText => {
  const { column, columns, id, name, owner, searched } = tableOf(kind)
  const skipped = new Set(actions.has("renamed") ? [] : searched.map(column))
  const set = columns.filter((one) => !one.isKept && !skipped.has(one.name))
  return sql`update ${changedTable(name)} x
    set ${joined(
      set.map((one) => sql`${one.name} = ${one.value("i")}`),
      ", "
    )}
    from input_${kind.name} i, agreed
    where x.${owner} = $1::uuid and x.${id} = i.${id} and ${condition}
    returning x.${id} as id, x.xmin as revision`
}

/**
 * The expressions that write the records of a kind, by name, in the order in which they run: a removed
 * unique value is free for the others.
 */
const writesOf = (tables: RecordTables, part: Part): ReadonlyArray<readonly [name: string, sql: PgText]> => {
  const { actions, kind } = part
  const is = (action: string, ...before: ReadonlyArray<string>) => `i.action = '${action}'${after(before)}`
  const [removed, updated, inserted] = ["remove", "update", "insert"].map((action) => `${action}_${kind.name}`)
  const writes: Array<readonly [string, PgText]> = []
  if (actions.has("remove")) writes.push([`${removed}`, removal(tables, kind, is("remove"))])
  const names = () => writes.map(([name]) => name)
  if (actions.has("update") || actions.has("renamed")) {
    writes.push([`${updated}`, update(tables, part, is("update", ...names()))])
  }
  if (actions.has("insert")) {
    const insert = insertion(tables, kind, `cross join agreed where ${is("insert", ...names())}`)
    writes.push([`${inserted}`, sql`${insert} returning x.${tables.tableOf(kind).id}`])
  }
  return writes
}

/** SQL of the calls that judge absences and bounds behind the lock of the log of events. */
const checksOf = ({ tableOf }: RecordTables, parts: ReadonlyArray<Part>, at: string): ReadonlyArray<PgText> =>
  parts.flatMap(({ actions, bounds, kind }) => {
    const kindTable = tableOf(kind)
    const { id, name, owner } = kindTable
    const check = (query: PgText, ids: string, conflict: string) =>
      sql`${routine("check_records")}(${literal(query)}, $1::uuid, ${ids}, ${at}, ${quoteText(conflict)})`
    const absences = actions.has("absent")
      ? [
          check(
            sql`select exists (select from ${table(name)} x where x.${owner} = $1 and x.${id} = any ($2))`,
            `array(select i.${id} from input_${kind.name} i where i.action = 'absent')`,
            `${kind.name}_absent`
          )
        ]
      : []
    const full = kind.bounds
      .filter((bound) => bounds.has(bound.name))
      .map((bound) =>
        check(
          sql`select ${bound.maximum} < ${countOf(kindTable, bound.name, "$1", "$3", bound.maximum + 1)}`,
          "null",
          bound.name
        )
      )
    return [...absences, ...full]
  })

/** Whether the text of these parts has the parameter of the instant, which is the last one. */
export const needsInstant = (parts: ReadonlyArray<Part>): boolean =>
  parts.some(({ actions, bounds }) => actions.has("absent") || bounds.size > 0)

/**
 * The text of a commit. Parameters are the organisation, the events, the input of each part, and the
 * instant. The answer is a JSON array of the updated records, each as kind and id, with their revisions, or
 * null when something is not as expected.
 */
export const commitText = (tables: RecordTables, parts: ReadonlyArray<Part>): PgText => {
  const kinds = parts.map(({ kind }) => kind)
  const owner = lockedOrganisation(tables, kinds)
  const parents = [
    ...owner,
    ...lockedParents(
      tables,
      kinds,
      owner.map(({ name }) => name)
    )
  ]
  const locking: Array<string> = parents.map(({ name }) => name)
  const rows = parts
    .filter(({ actions }) => hasRows(actions))
    .map((part) => {
      const locked = lockedRows(tables, part, locking)
      locking.push(`rows_${part.kind.name}`)
      return locked
    })
  const references = kinds
    .filter((kind) => parentsOf(kind).length > 0)
    .map((kind) => `not exists (select from input_${kind.name} i where not (${hasParents(tables, kind, parts)}))`)
  const conditions = [
    ...owner.map(({ name }) => `exists (select from ${name})`),
    ...parts.flatMap(isExpected),
    ...references
  ]
  const writes = parts.flatMap((part) => writesOf(tables, part))
  const checks = checksOf(tables, parts, instant(`$${parts.length + 3}`))
  const revisions = parts
    .filter(({ actions }) => actions.has("update") || actions.has("renamed"))
    .map(
      ({ kind: { name } }) =>
        `(select string_agg('["${name} ' || u.id || '","' || u.revision || '"]', ',') from update_${name} u)`
    )
  const expressions = [
    ...parts.map(({ kind }, index) => inputOf(tables, kind, `$${index + 3}`)),
    ...parents.map(({ sql }) => sql),
    ...rows,
    `agreed as materialized (select from (select) one where ${conditions.join(" and ") || "true"}${after(locking)})`,
    ...writes.map(([name, write]) => sql`${name} as (${write})`),
    eventsFrom("$2", `cross join agreed where true${after(writes.map(([name]) => name))}`),
    ...(checks.length === 0 ? [] : [sql`checked as materialized (select ${joined(checks, ", ")} from event_last)`])
  ]
  return sql`with ${joined(expressions, ", ")}
  ${mainQuery} select (select '[' || concat_ws(',', ${[...revisions, "null"].join(", ")}) || ']' from agreed
    where true${after(checks.length === 0 ? [] : ["checked"])}), ${writtenTypes}`
}

/** The key of the texts of a change, and its order of parts. */
export const formOf = (parts: ReadonlyArray<Part>): string =>
  parts
    .map(
      ({ actions, bounds, kind }) =>
        `${kind.name} ${[...actions].toSorted().join("+")} ${[...bounds].toSorted().join("+")}`
    )
    .join(", ")

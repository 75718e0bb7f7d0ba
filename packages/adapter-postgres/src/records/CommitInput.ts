/**
 * A change as the parameters of its statement.
 */
import { type AnyKind, beginsToHold, type Change, type Stored } from "@solar-sites/core"
import { type Action, type Part, parentsOf } from "./CommitLocks.ts"
import { originMembers } from "./PgEventLog.ts"
import type { RecordTables } from "./RecordTables.ts"

/** The events of changes as a JSON array, each change with its own origin and numbers. */
export const eventsParameter = (changes: ReadonlyArray<Change>): string =>
  JSON.stringify(
    changes.flatMap(({ events, origin }) => {
      const members = originMembers(origin)
      return events.map(({ changes: changed, siteId, subjectId, subjectName, type }, index) => ({
        ...members,
        number: index + 1,
        type,
        subject_id: subjectId,
        subject_name: subjectName,
        site_id: siteId,
        changes: changed
      }))
    })
  )

/** A written record as JSON. References that the change does not set are not locked. */
export const inputRow = (
  { tableOf }: RecordTables,
  kind: AnyKind,
  action: Action,
  before: Stored<object> | null,
  after: object
): string => {
  const { column, input } = tableOf(kind)
  const locked = parentsOf(kind).flatMap(({ member }) => {
    const id: unknown = Reflect.get(after, member)
    const isSame = before !== null && Reflect.get(before.record, member) === id
    return isSame || id === null ? [] : [[`locked_${column(member)}`, id]]
  })
  const further = { revision: before?.revision ?? null, action, ...Object.fromEntries(locked) }
  return `${input(after).slice(0, -1)},${JSON.stringify(further).slice(1)}`
}

/** A record without its members. */
const keyRow = (
  { tableOf }: RecordTables,
  kind: AnyKind,
  id: string,
  action: Action,
  revision: string | null
): string => JSON.stringify({ [tableOf(kind).id]: id, revision, action })

interface Row {
  readonly kind: AnyKind
  readonly action: Action
  readonly json: string
}

const isSearchedChange = ({ tableOf }: RecordTables, kind: AnyKind, before: object, after: object): boolean =>
  tableOf(kind).searched.some((member) => Reflect.get(before, member) !== Reflect.get(after, member))

const rowsOf = (tables: RecordTables, { reads, writes }: Change): ReadonlyArray<Row> => [
  ...writes.map(({ after, before, id, kind }): Row => {
    if (after === null) return { kind, action: "remove", json: keyRow(tables, kind, id, "remove", before.revision) }
    if (before === null) return { kind, action: "insert", json: inputRow(tables, kind, "insert", null, after) }
    const action = isSearchedChange(tables, kind, before.record, after) ? "renamed" : "update"
    return { kind, action, json: inputRow(tables, kind, "update", before, after) }
  }),
  ...reads.map(({ id, kind, revision }): Row => {
    const action = revision === null ? "absent" : "read"
    return { kind, action, json: keyRow(tables, kind, id, action, revision) }
  })
]

/** The parts of a change in the order of locks, each with its input. */
export const partsOf = (tables: RecordTables, change: Change): ReadonlyArray<Part & { readonly input: string }> => {
  const rows = rowsOf(tables, change)
  const begun = change.writes.flatMap((write) => beginsToHold(write, change.at).map(({ name }) => name))
  return tables.lockOrder.flatMap((name) => {
    const own = rows.filter(({ kind }) => kind.name === name)
    const [first] = own
    if (first === undefined) return []
    const bounds = first.kind.bounds.flatMap((bound) => (begun.includes(bound.name) ? [bound.name] : []))
    return [
      {
        kind: first.kind,
        actions: new Set(own.map(({ action }) => action)),
        bounds: new Set(bounds),
        input: `[${own.map(({ json }) => json).join(",")}]`
      }
    ]
  })
}

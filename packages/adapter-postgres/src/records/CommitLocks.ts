/**
 * The rows that a commit locks before those that it writes: the organisation, and the records that others refer to.
 */
import type { AnyKind } from "@solar-sites/core"
import { type PgText, sql, table } from "../client/PgText.ts"
import type { RecordTables } from "./RecordTables.ts"

/** What a change does with a record. `renamed` is an update of text that lists search. */
export type Action = "insert" | "update" | "renamed" | "remove" | "read" | "absent"

/** What a change does with the records of a kind, and the bounds that they begin to hold. */
export interface Part {
  readonly kind: AnyKind
  readonly actions: ReadonlySet<Action>
  readonly bounds: ReadonlySet<string>
}

/** References to records other than the organisation, which no statement locks. */
export const parentsOf = ({ references }: AnyKind) => references.filter(({ kind }) => kind !== "organisation")

/** SQL condition that is true, and evaluated after these expressions. */
export const after = (names: ReadonlyArray<string>): string =>
  names.map((name) => ` and (select count(*) from ${name}) >= 0`).join("")

/** Referenced rows, locked against deletion, named `parent_` and the kind. */
export const lockedParents = (
  { lockOrder, tableOf }: RecordTables,
  kinds: ReadonlyArray<AnyKind>,
  before: ReadonlyArray<string> = []
): ReadonlyArray<{ readonly name: string; readonly sql: PgText }> => {
  const idsByParent = new Map<string, ReadonlyArray<string>>()
  for (const kind of kinds) {
    for (const { kind: parent, member } of parentsOf(kind)) {
      const ids = `select i.locked_${tableOf(kind).column(member)} from input_${kind.name} i`
      idsByParent.set(parent, [...(idsByParent.get(parent) ?? []), ids])
    }
  }
  return lockOrder.flatMap((parent) => {
    const ids = idsByParent.get(parent)
    if (ids === undefined) return []
    const { id, name, owner } = tableOf({ name: parent, isExistence: true })
    const text = sql`parent_${parent} as materialized (
      select p.${id} as id from ${table(name)} p
      where p.${owner} = $1::uuid and p.${id} in (${ids.join(" union all ")})${after(before)}
      order by p.${id}
      for key share
    )`
    return [{ name: `parent_${parent}`, sql: text }]
  })
}

/** The organisation, locked against deletion before all other rows. */
export const lockedOrganisation = (
  { tableOf }: RecordTables,
  kinds: ReadonlyArray<AnyKind>
): ReadonlyArray<{ readonly name: string; readonly sql: PgText }> =>
  kinds.some((kind) => tableOf(kind).locksOrganisation)
    ? [
        {
          name: "owner_row",
          sql: sql`owner_row as materialized (
            select o.id from ${table("organisation")} o where o.id = $1::uuid for key share
          )`
        }
      ]
    : []

/** SQL condition: the references of a row of the input name locked rows, or rows that the statement inserts. */
export const hasParents = ({ tableOf }: RecordTables, kind: AnyKind, parts: ReadonlyArray<Part> = []): string =>
  parentsOf(kind)
    .map(({ kind: parent, member }) => {
      const id = `i.locked_${tableOf(kind).column(member)}`
      const created = parts
        .filter((part) => part.kind.name === parent && part.actions.has("insert"))
        .map(
          (part) => ` or ${id} in (select p.${tableOf(part.kind).id} from input_${parent} p where p.action = 'insert')`
        )
      return `(${id} is null or ${id} in (select p.id from parent_${parent} p)${created.join("")})`
    })
    .join(" and ") || "true"

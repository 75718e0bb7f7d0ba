/**
 * Commits that create one record each: those of one organisation share a statement. Of several with one id it
 * stores the first. A record with an id or a unique value that is taken is left out, as is one that refers to
 * a missing record, so that it does not make the others fail.
 */
import type { AnyKind, Change } from "@solar-sites/core"
import { Effect } from "effect"
import { textOf } from "../client/PgJsonStatement.ts"
import type { PgReach } from "../client/PgStatement.ts"
import { joined, mainQuery, type PgText, sql } from "../client/PgText.ts"
import type { PgClient } from "../PgClient.ts"
import { eventsParameter, inputRow } from "./CommitInput.ts"
import { hasParents, lockedParents, parentsOf } from "./CommitLocks.ts"
import { inputOf, insertion } from "./CommitText.ts"
import { eventsFrom, writtenTypes } from "./PgEventLog.ts"
import type { RecordTables } from "./RecordTables.ts"

/** A new record and the change that creates it. */
interface Creation {
  readonly record: object
  readonly id: string
  readonly change: Change
}

const creationText = (tables: RecordTables, kind: AnyKind): PgText => {
  const { id } = tables.tableOf(kind)
  return sql`with ${joined([inputOf(tables, kind, "$3"), ...lockedParents(tables, [kind]).map(({ sql }) => sql)], ", ")}, written as (
    ${insertion(tables, kind, `where ${hasParents(tables, kind)}`)}
    on conflict do nothing
    returning x.${id} as id
  ), ${eventsFrom("$2", "join written w on w.id = o.subject_id")}
  ${mainQuery} select (select '[' || string_agg('"' || w.id || '"', ',') || ']' from written w), ${writtenTypes}`
}

/** Creations with equal references wait for the same locks, so they share a statement. */
const groupOf = (kind: AnyKind, record: object): string =>
  parentsOf(kind)
    .map(({ member }) => String(Reflect.get(record, member)))
    .join()

/** A statement for creations of a kind. Answers whether a record was stored. */
export const makeCreating = (
  { batch }: PgClient["Service"],
  tables: RecordTables,
  operation: string,
  kind: AnyKind
) => {
  const sent = new WeakSet<Creation>()
  const store = batch({
    operation,
    text: creationText(tables, kind),
    readOnly: false,
    parameters: (items: ReadonlyArray<Creation>) => {
      const firsts = [...new Map(items.toReversed().map((item) => [item.id, item])).values()]
      for (const item of firsts) sent.add(item)
      return [
        eventsParameter(firsts.map(({ change }) => change)),
        `[${firsts.map(({ record }) => inputRow(tables, kind, "insert", null, record)).join(",")}]`
      ]
    },
    decode: (rows) => new Set<unknown>(JSON.parse(textOf(rows) ?? "[]"))
  })
  return (reach: PgReach, creation: Creation) =>
    Effect.map(
      store(reach, groupOf(kind, creation.record), creation),
      (stored) => sent.has(creation) && stored.has(creation.id)
    )
}

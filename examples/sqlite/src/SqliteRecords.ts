/**
 * `Records` on SQLite.
 */
import {
  type AnyKind,
  type Change,
  type Committed,
  foundOf,
  fullBounds,
  MaximumPageBytes,
  memberText,
  type OrganisationId,
  obstacleTo,
  Records,
  Revision,
  type Stale,
  type StoredRecords,
  takePage,
  withinLimits,
  writtenKinds
} from "@solar-sites/core"
import { Effect, Layer } from "effect"
import { decoded, type RecordTable, recordTable } from "./RecordTable.ts"
import { memberSql } from "./Schema.ts"
import { SqliteDatabase, type Statements } from "./SqliteDatabase.ts"

const storedIn = (table: RecordTable): StoredRecords => ({
  revisionOf: (kind, id) => {
    const [row] = table.rowsBy(kind, "id", [id])
    return row === undefined ? null : Revision(String(row.revision))
  },
  idsBy: (kind, member, values) => table.rowsBy(kind, member, values).map(({ id }) => String(id)),
  recordsOf: (kind) => table.rows(kind).map(({ json }) => decoded(kind, json))
})

/** A new record has a random value of another one. Only a bug makes it. */
const expectGenerated = ({ first }: Statements, { writes }: Change): void => {
  for (const { after, before, kind } of writes) {
    for (const member of before === null && after !== null ? (kind.generated ?? []) : []) {
      const taken = `select 1 from record where kind = '${kind.name}' and ${memberSql(member)} = ?`
      if (first(taken, memberText(after ?? {}, member)) !== undefined) throw new Error(`a duplicate ${member}`)
    }
  }
}

/** Removes the records that go with a removed one. */
const cascade = (table: RecordTable, removed: Pick<AnyKind, "name">, id: string): void => {
  for (const kind of writtenKinds) {
    for (const { cascade, kind: name, member } of kind.references) {
      if (!cascade || name !== removed.name) continue
      for (const row of table.rowsBy(kind, member, [id])) table.remove(kind, String(row.id))
    }
  }
}

const commit = (statements: Statements, organisationId: OrganisationId, change: Change): Committed | Stale => {
  const table = recordTable(statements, organisationId)
  expectGenerated(statements, change)
  const stale = obstacleTo(storedIn(table), change, writtenKinds)
  if (stale !== undefined) return stale
  const revision = table.nextRevision()
  // All removals come first: unique values can move from one record to another.
  for (const { after, before, id, kind } of change.writes) {
    if (before !== null) table.remove(kind, id)
    if (after === null) cascade(table, kind, id)
  }
  for (const { after, kind } of change.writes) if (after !== null) table.insert(kind, after, revision)
  table.record(change.events, change.origin)
  const revisions = change.writes.map(({ after, before }) =>
    after === null || before === null ? null : Revision(String(revision))
  )
  return { _tag: "Committed", revisions }
}

export const layer: Layer.Layer<Records, never, SqliteDatabase> = Layer.effect(
  Records,
  Effect.map(SqliteDatabase, ({ step }) =>
    Records.of({
      load: (operation, organisationId, finds, { bounds, lastSequence } = {}) =>
        Effect.tap(
          step(operation, (statements) => {
            const table = recordTable(statements, organisationId)
            return foundOf(
              finds.map((find) => ({ find, stored: table.find(find) })),
              {
                full: bounds === undefined ? [] : fullBounds(storedIn(table), bounds.kind, bounds.at),
                lastSequence: lastSequence ? table.lastEvent().sequence : 0
              }
            )
          }),
          ({ answers }) => withinLimits(operation, answers)
        ),

      commit: (operation, organisationId, change) =>
        step(operation, (statements) => commit(statements, organisationId, change)),

      list: (operation, organisationId, kind, { of, page: { after, limit } }) =>
        Effect.flatMap(MaximumPageBytes, (bytes) =>
          step(operation, (statements) => {
            const table = recordTable(statements, organisationId)
            const owner = of === undefined ? "true" : `${memberSql(of.member)} = ?`
            const values = of === undefined ? [] : [of.value]
            const rows = table.rows(kind, `${owner} and id > ?`, [...values, after ?? ""], limit + 1)
            const records = rows.map(({ json }) => table.computed(kind, decoded(kind, json)))
            return takePage(records, limit, bytes)
          })
        )
    })
  )
)

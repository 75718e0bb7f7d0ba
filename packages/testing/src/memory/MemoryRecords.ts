/**
 * `Records` in memory.
 *
 * @since 0.1.0
 */
import {
  type Change,
  type Committed,
  type Find,
  foundOf,
  MaximumPageBytes,
  type OrganisationId,
  Records,
  Revision,
  Stale,
  type Stored
} from "@solar-sites/core"
import { Effect, Layer } from "effect"
import { conflictOf, countOf, fullBound, isDuplicate, leftReference, takenMember } from "./MemoryConflicts.ts"
import { duplicate, MemoryDatabase, type MemoryOrganisation, pageOf } from "./MemoryDatabase.ts"
import { recordEvents } from "./MemoryEventLog.ts"
import { kindOf, textOf } from "./MemoryRecordKinds.ts"

/** Revisions by identity: records are immutable, and every write stores another object. */
const makeRevisions = () => {
  const revisions = new WeakMap<object, Revision>()
  let last = 0
  return (record: object): Revision => {
    const revision = revisions.get(record) ?? Revision(String(++last))
    revisions.set(record, revision)
    return revision
  }
}

/** The records that a find names, in ascending order of id. */
const find = (owner: MemoryOrganisation | undefined, { by, kind, values }: Find): ReadonlyArray<object> => {
  const wanted = new Set("of" in values ? find(owner, values.of).map((one) => textOf(one, values.member)) : values)
  const { get, values: all } = kindOf(owner, kind)
  if (by === "id") return [...wanted].flatMap((id) => (id === null ? [] : (get(id) ?? [])))
  return all().filter((record) => {
    const value = textOf(record, by)
    return value !== null && wanted.has(value)
  })
}

/**
 * @category layers
 * @since 0.1.0
 */
export const layer: Layer.Layer<Records, never, MemoryDatabase> = Layer.effect(
  Records,
  Effect.map(MemoryDatabase, (database) => {
    const revisionOf = makeRevisions()

    const staleness = (owner: MemoryOrganisation, change: Change): Stale | undefined => {
      const gone = change.writes.flatMap(({ after, id, kind }) => (after === null ? [`${kind.name} ${id}`] : []))
      const removed = new Set(gone)
      const conflicts = change.writes.flatMap((write) => conflictOf(owner, write, removed, revisionOf) ?? [])
      const read = change.reads.flatMap(({ id, kind, revision }) => {
        const stored = kindOf(owner, kind).get(id)
        return (stored === undefined ? null : revisionOf(stored)) === revision ? [] : [`${kind.name} ${id}`]
      })
      const left = removed.size === 0 ? undefined : leftReference(owner, change, removed)
      const conflict = [...conflicts, ...read][0] ?? left ?? takenMember(owner, change)
      if (conflict !== undefined) return new Stale({ conflict })
      const full = fullBound(owner, change)
      return full === undefined ? undefined : new Stale({ conflict: full, full })
    }

    const apply = (organisationId: OrganisationId, change: Change): Committed | Stale => {
      const owner = database.get(organisationId)
      if (owner === undefined) return new Stale({ conflict: "organisation" })
      const stale = staleness(owner, change)
      if (stale !== undefined) return stale
      const revisions = change.writes.map(({ after, before, id, kind }) => {
        const { put, remove } = kindOf(owner, kind)
        if (after === null) {
          remove(id)
          return null
        }
        const stored = put(after)
        return before === null ? null : revisionOf(stored)
      })
      recordEvents(owner, change.origin, change.events)
      return { _tag: "Committed" as const, revisions }
    }

    return Records.of({
      load: (_, organisationId, finds, { bounds, lastSequence } = {}) =>
        Effect.sync(() => {
          const owner = database.get(organisationId)
          const storedOf =
            ({ kind }: Find) =>
            (record: object): Stored<object> => {
              const { read = (one) => one } = kindOf(owner, kind)
              return { record: read(record), revision: revisionOf(record) }
            }
          const full =
            bounds === undefined || owner === undefined
              ? []
              : bounds.kind.bounds.filter(
                  ({ maximum, name }) => countOf(owner, bounds.kind, name, bounds.at) >= maximum
                )
          return foundOf(
            finds.map((one) => ({ find: one, stored: find(owner, one).map(storedOf(one)) })),
            { full: full.map(({ name }) => name), lastSequence: lastSequence ? (owner?.events.last ?? 0) : 0 }
          )
        }),
      list: (_, organisationId, kind, { of, page }) =>
        Effect.map(MaximumPageBytes, (bytes) => {
          const { read = (one) => one, values } = kindOf(database.get(organisationId), kind)
          const listed = values().filter((record) => of === undefined || textOf(record, of.member) === of.value)
          // Every record has an id.
          return pageOf(listed.map(read) as ReadonlyArray<{ readonly id: string }>, page, bytes)
        }),
      commit: (operation, organisationId: OrganisationId, change) =>
        Effect.suspend(() => {
          const isTaken = change.writes.some((write) => isDuplicate(database, write))
          return isTaken ? Effect.fail(duplicate(operation)) : Effect.succeed(apply(organisationId, change))
        })
    })
  })
)

/**
 * `Records` in memory.
 *
 * @since 0.1.0
 */
import {
  type AnyKind,
  type Change,
  type Committed,
  type Find,
  foundOf,
  fullBounds,
  MaximumPageBytes,
  memberText,
  type OrganisationId,
  obstacleTo,
  pageOf,
  Records,
  Revision,
  Stale,
  type Stored,
  type StoredRecords,
  type Write,
  writtenKinds
} from "@solar-sites/core"
import { Effect, Layer } from "effect"
import { duplicate, MemoryDatabase, type MemoryOrganisation } from "./MemoryDatabase.ts"
import { recordEvents } from "./MemoryEventLog.ts"
import { kindOf } from "./MemoryRecordKinds.ts"

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

/** The records with one of the values in a member. */
const valuesOf = (owner: MemoryOrganisation | undefined, kind: AnyKind, member: string, values: ReadonlySet<unknown>) =>
  kindOf(owner, kind)
    .values()
    .filter((record) => {
      const value = memberText(record, member)
      return value !== null && values.has(value)
    })

/** The records that a find names, in ascending order of id. */
const find = (owner: MemoryOrganisation | undefined, { by, kind, values }: Find): ReadonlyArray<object> => {
  const wanted = new Set("of" in values ? find(owner, values.of).map((one) => memberText(one, values.member)) : values)
  if (by !== "id") return valuesOf(owner, kind, by, wanted)
  const { get } = kindOf(owner, kind)
  return [...wanted].flatMap((id) => (id === null ? [] : (get(id) ?? [])))
}

/** Whether a new record has a generated value of another one, of any organisation. */
const isDuplicate = (database: MemoryDatabase["Service"], { after, before, kind }: Write): boolean =>
  before === null &&
  after !== null &&
  (kind.generated ?? []).some((member) => {
    const values = new Set([memberText(after, member)])
    return [...database.values()].some((owner) => valuesOf(owner, kind, member, values).length > 0)
  })

/**
 * @category layers
 * @since 0.1.0
 */
export const layer: Layer.Layer<Records, never, MemoryDatabase> = Layer.effect(
  Records,
  Effect.map(MemoryDatabase, (database) => {
    const revisionOf = makeRevisions()

    const storedIn = (owner: MemoryOrganisation): StoredRecords => ({
      revisionOf: (kind, id) => {
        const record = kindOf(owner, kind).get(id)
        return record === undefined ? null : revisionOf(record)
      },
      idsBy: (kind, member, values) =>
        valuesOf(owner, kind, member, values).flatMap((one) => memberText(one, "id") ?? []),
      recordsOf: (kind) => kindOf(owner, kind).values()
    })

    const apply = (organisationId: OrganisationId, change: Change): Committed | Stale => {
      const owner = database.get(organisationId)
      if (owner === undefined) return new Stale({ conflict: "organisation" })
      const stale = obstacleTo(storedIn(owner), change, writtenKinds)
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
            bounds === undefined || owner === undefined ? [] : fullBounds(storedIn(owner), bounds.kind, bounds.at)
          return foundOf(
            finds.map((one) => ({ find: one, stored: find(owner, one).map(storedOf(one)) })),
            { full, lastSequence: lastSequence ? (owner?.events.last ?? 0) : 0 }
          )
        }),
      list: (_, organisationId, kind, { of, page }) =>
        Effect.map(MaximumPageBytes, (bytes) => {
          const { read = (one) => one, values } = kindOf(database.get(organisationId), kind)
          const listed = values().filter((record) => of === undefined || memberText(record, of.member) === of.value)
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

/**
 * Obstacles to a commit, for adapters that judge it before they write.
 */
import type { DateTime } from "effect"
import { type AnyKind, type Bound, beginsToHold, type Change, type Revision, Stale, type Write } from "./RecordKind.ts"

type Named = Pick<AnyKind, "name">

/** The stored records of an organisation, as `obstacleTo` asks for them. */
export interface StoredRecords {
  /** The revision of a record; null when it is absent. */
  readonly revisionOf: (kind: Named, id: string) => Revision | null
  /** Ids of the records with one of the values in a member that is unique or a reference. */
  readonly idsBy: (kind: AnyKind, member: string, values: ReadonlySet<string>) => Iterable<string>
  readonly recordsOf: (kind: AnyKind) => Iterable<object>
}

/** The value of a member as text; null for none. */
export const memberText = (record: object, member: string): string | null => {
  const value: unknown = Reflect.get(record, member)
  return value === null || value === undefined ? null : String(value)
}

const keyOf = ({ name }: Named, id: string): string => `${name} ${id}`

const holding = (records: Iterable<object | null>, bound: Bound<never>, at: DateTime.Utc): number => {
  let count = 0
  // The records of a kind are what its bounds judge.
  for (const record of records) if (record !== null && bound.holds(record as never, at)) count += 1
  return count
}

/** The names of the bounds of a kind without room for a further record. */
export const fullBounds = (
  { recordsOf }: Pick<StoredRecords, "recordsOf">,
  kind: AnyKind,
  at: DateTime.Utc
): ReadonlyArray<string> =>
  kind.bounds.flatMap((bound) => (holding(recordsOf(kind), bound, at) >= bound.maximum ? [bound.name] : []))

/** A bound that has too many records after the change. */
const exceededBound = ({ recordsOf }: StoredRecords, { at, writes }: Change): string | undefined => {
  const begun = new Map(writes.flatMap((write) => beginsToHold(write, at).map((bound) => [bound, write.kind])))
  return [...begun].find(([bound, kind]) => {
    const own = writes.filter((write) => write.kind.name === kind.name)
    const ended = holding(
      own.map(({ before }) => before?.record ?? null),
      bound,
      at
    )
    const added = holding(
      own.map(({ after }) => after),
      bound,
      at
    )
    return holding(recordsOf(kind), bound, at) - ended + added > bound.maximum
  })?.[0].name
}

/** A unique member that two records of the kind have one value of after the change. */
const takenMember = ({ idsBy }: StoredRecords, kind: AnyKind, writes: ReadonlyArray<Write>): string | undefined =>
  kind.unique.find((member) => {
    const given = writes.flatMap(({ after }) => (after === null ? [] : (memberText(after, member) ?? [])))
    const values = new Set(given)
    const written = new Set(writes.map(({ id }) => id))
    return (
      values.size < given.length || (values.size > 0 && [...idsBy(kind, member, values)].some((id) => !written.has(id)))
    )
  })

/**
 * The obstacle to a change; undefined when it can be stored. `kinds` are all that can refer to a removed
 * record. An adapter that calls it writes in the same atomic step. It judges no values of `generated` and `everywhere`.
 */
export const obstacleTo = (stored: StoredRecords, change: Change, kinds: ReadonlyArray<AnyKind>): Stale | undefined => {
  const { reads, writes } = change
  const changed = [
    ...writes.map(({ before, ...write }) => ({ ...write, revision: before?.revision ?? null })),
    ...reads
  ].find(({ id, kind, revision }) => stored.revisionOf(kind, id) !== revision)
  if (changed !== undefined) return new Stale({ conflict: keyOf(changed.kind, changed.id) })

  const written = new Map(writes.map(({ after, id, kind }) => [keyOf(kind, id), after !== null]))
  const isThere = (kind: string, id: string): boolean =>
    written.get(keyOf({ name: kind }, id)) ?? stored.revisionOf({ name: kind }, id) !== null
  const removedOf = (kind: string) =>
    new Set(writes.flatMap((write) => (write.after === null && write.kind.name === kind ? [write.id] : [])))
  const byKind = Map.groupBy(writes, ({ kind }) => kind)
  const conflict =
    writes
      .flatMap(({ after, kind }) => (after === null ? [] : kind.references.map((one) => ({ ...one, after }))))
      .find(({ after, kind, member }) => {
        const value = memberText(after, member)
        return value !== null && !isThere(kind, value)
      })?.member ??
    kinds
      .flatMap((kind) => kind.references.map((reference) => ({ kind, reference })))
      .find(({ kind, reference: { cascade, kind: name, member } }) => {
        const removed = removedOf(name)
        return (
          !cascade &&
          removed.size > 0 &&
          [...stored.idsBy(kind, member, removed)].some((id) => !written.has(keyOf(kind, id)))
        )
      })?.reference.member ??
    [...byKind].flatMap(([kind, own]) => takenMember(stored, kind, own) ?? [])[0]
  if (conflict !== undefined) return new Stale({ conflict })

  const full = exceededBound(stored, change)
  return full === undefined ? undefined : new Stale({ conflict: full, full })
}

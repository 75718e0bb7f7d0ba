/**
 * What stands against a change of records.
 */
import { type AnyKind, beginsToHold, type Change, type Revision, type Write, writtenKinds } from "@solar-sites/core"
import type { MemoryDatabase, MemoryOrganisation } from "./MemoryDatabase.ts"
import { kindOf, textOf } from "./MemoryRecordKinds.ts"

/** The number of records that hold in a bound. */
export const countOf = (owner: MemoryOrganisation, kind: AnyKind, bound: string, at: Change["at"]): number => {
  const found = kind.bounds.find(({ name }) => name === bound)
  // The records of a kind are what its bounds judge.
  return kindOf(owner, kind)
    .values()
    .filter((one) => found?.holds(one as never, at)).length
}

/** What stands against a write; undefined when it can be stored. `removed`: kinds and ids that the change removes. */
export const conflictOf = (
  owner: MemoryOrganisation,
  { after, before, id, kind }: Write,
  removed: ReadonlySet<string>,
  revisionOf: (record: object) => Revision
): string | undefined => {
  const stored = kindOf(owner, kind).get(id)
  const revision = stored === undefined ? null : revisionOf(stored)
  if (revision !== (before?.revision ?? null)) return `${kind.name} ${id}`
  if (after === null) return undefined
  return kind.references.find(({ kind: name, member }) => {
    const value = textOf(after, member)
    return value !== null && (removed.has(`${name} ${value}`) || kindOf(owner, { name }).get(value) === undefined)
  })?.member
}

/** A member of a record that stays and refers to one of the removed records. */
export const leftReference = (owner: MemoryOrganisation, { writes }: Change, removed: ReadonlySet<string>) => {
  if (removed.size === 0) return undefined
  const written = new Set(writes.map(({ id, kind }) => `${kind.name} ${id}`))
  return writtenKinds.flatMap((kind) => {
    const kept = (record: object) => !written.has(`${kind.name} ${textOf(record, "id")}`)
    return kind.references.filter(({ kind: name, member }) => {
      const isLeft = (record: object) => removed.has(`${name} ${textOf(record, member)}`) && kept(record)
      return kindOf(owner, kind).values().some(isLeft)
    })
  })[0]?.member
}

/** A unique member that two records would have one value of. */
export const takenMember = (owner: MemoryOrganisation, { writes }: Change): string | undefined => {
  const kinds = new Map(writes.flatMap(({ kind }) => (kind.unique.length === 0 ? [] : [[kind.name, kind]])))
  return [...kinds.values()].flatMap((kind) => {
    const own = writes.filter((write) => write.kind.name === kind.name)
    const written = new Set(own.map(({ id }) => id))
    const kept = kindOf(owner, kind)
      .values()
      .filter((record) => !written.has(textOf(record, "id") ?? ""))
    return kind.unique.filter((member) => {
      const valuesOf = (records: ReadonlyArray<object>) => records.flatMap((record) => textOf(record, member) ?? [])
      const given = valuesOf(own.flatMap(({ after }) => after ?? []))
      const taken = new Set(valuesOf(kept))
      return new Set(given).size < given.length || given.some((value) => taken.has(value))
    })
  })[0]
}

/** Whether a new record has a generated value of another one. */
export const isDuplicate = (database: MemoryDatabase["Service"], { after, before, kind }: Write): boolean =>
  kind.generated !== undefined &&
  before === null &&
  after !== null &&
  [...database.values()].some((owner) =>
    kindOf(owner, kind)
      .values()
      .some((other) => kind.generated?.some((member) => textOf(other, member) === textOf(after, member)))
  )

/** The name of a bound that a change would exceed. */
export const fullBound = (owner: MemoryOrganisation, { at, writes }: Change): string | undefined => {
  const begun = new Map(writes.flatMap((write) => beginsToHold(write, at).map(({ name }) => [name, write.kind])))
  return [...begun].find(([name, kind]) => {
    const bound = kind.bounds.find((one) => one.name === name)
    // The records of a kind are what its bounds judge.
    const holds = (record: object | undefined | null) => (record && bound?.holds(record as never, at) ? 1 : 0)
    const own = writes.filter((write) => write.kind === kind)
    const added = own.reduce((sum, { after, before }) => sum + holds(after) - holds(before?.record), 0)
    return countOf(owner, kind, name, at) + added > (bound?.maximum ?? 0)
  })?.[0]
}

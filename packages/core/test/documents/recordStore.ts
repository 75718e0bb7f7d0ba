/**
 * Records in memory for tests of rules: a load answers finds, a change applies as a whole.
 */
import { type Find, type Found, foundOf, Revision } from "@solar-sites/core"
import type { DecidedChange } from "../../src/records/Deciding.ts"

interface Identified {
  readonly id: string
}

/** Records by the name of their kind, then by id. */
export type RecordStore = ReadonlyMap<string, ReadonlyMap<string, object>>

export const storeOf = (kinds: { readonly [Kind in string]: ReadonlyArray<Identified> }): RecordStore =>
  new Map(Object.entries(kinds).map(([kind, records]) => [kind, new Map(records.map((record) => [record.id, record]))]))

const textOf = (record: object, member: string): string | null => {
  const value: unknown = Reflect.get(record, member)
  return value === null || value === undefined ? null : String(value)
}

const recordsOf = (store: RecordStore, { by, kind, values }: Find): ReadonlyArray<object> => {
  const wanted = new Set("of" in values ? recordsOf(store, values.of).map((one) => textOf(one, values.member)) : values)
  return [...(store.get(kind.name)?.values() ?? [])].filter((record) => {
    const value = textOf(record, by)
    return value !== null && wanted.has(value)
  })
}

/** The answers to the finds, and nothing else. */
export const load = (store: RecordStore, finds: ReadonlyArray<Find>, full: ReadonlyArray<string> = []): Found =>
  foundOf(
    finds.map((find) => {
      const stored = recordsOf(store, find).map((record) => ({ record, revision: Revision("loaded") }))
      return { find, stored }
    }),
    { full }
  )

const demand = (holds: boolean, sentence: string): void => {
  if (!holds) throw new Error(sentence)
}

/** The records after a change. Fails when an adapter could not apply it. */
export const applied = (store: RecordStore, { absent = [], mayChange = [], writes }: DecidedChange): RecordStore => {
  const written = new Set(writes.map(({ id, kind }) => `${kind.name} ${id}`))
  demand(written.size === writes.length, "a record is written twice")
  demand(!writes.some(({ id }) => mayChange.includes(id)), "a written record may not change")
  demand(!absent.some(({ id, kind }) => store.get(kind.name)?.has(id)), "a record is not absent")
  const next = new Map([...store].map(([kind, records]) => [kind, new Map(records)]))
  for (const { after, before, id, kind } of writes) {
    const records = next.get(kind.name) ?? new Map<string, object>()
    next.set(kind.name, records)
    demand(records.get(id) === before?.record, `${kind.name} ${id} is not as it was loaded`)
    if (after === null) records.delete(id)
    else records.set(id, after)
  }
  return next
}

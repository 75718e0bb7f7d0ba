/**
 * The stored records of one kind, in the maps of the in-memory database.
 */

/** `put` stores an immutable copy. `read` adds the computed members, which no stored record has. */
export interface MemoryKind {
  readonly get: (id: string) => object | undefined
  readonly values: () => ReadonlyArray<object>
  readonly put: (record: object) => object
  readonly remove: (id: string) => void
  readonly read?: (record: object) => object
}

/** Records that no rule writes. */
export const existing = (records: ReadonlyMap<string, object>): MemoryKind => {
  const refuse = () => {
    throw new Error("no rule writes records of this kind")
  }
  return { get: (id) => records.get(id), values: () => [...records.values()], put: refuse, remove: refuse }
}

export const kept = <Id extends string, Stored extends { readonly id: Id }>(
  records: Map<Id, Stored>,
  freeze: (record: Stored) => Stored
): MemoryKind => ({
  get: (id) => records.get(id as Id),
  values: () => [...records.values()],
  put: (record) => {
    // A write of a kind is a record of that kind.
    const stored = freeze(record as Stored)
    records.set(stored.id, stored)
    return stored
  },
  remove: (id) => void records.delete(id as Id)
})

/**
 * The records that a rule decides on.
 */
import { type AnyKind, type Find, type Obstacle, type RecordKind, Revision, type Stored } from "./RecordKind.ts"

interface Identified {
  readonly id: string
}

/** The answer to one find. */
export interface FoundRecords {
  readonly find: Find
  readonly stored: ReadonlyArray<Stored<object>>
}

/** The answer of `Records.load`. A record that is not there is null. */
export interface Found {
  readonly byId: <R extends Identified>(kind: RecordKind<R>, id: string | null) => Stored<R> | null
  /** Null, too, for the value null, which no record is found by. */
  readonly by: <R extends Identified>(
    kind: RecordKind<R>,
    member: keyof R & string,
    value: string | null
  ) => Stored<R> | null
  /** In ascending order of id. */
  readonly all: <R extends Identified>(
    kind: RecordKind<R>,
    member: keyof R & string,
    value: string
  ) => ReadonlyArray<Stored<R>>
  /** The sequence of the last event of the organisation; 0 without one. */
  readonly lastSequence: number
  /** Whether a bound has no room for a further record, as far as a commit or the load has found out. */
  readonly isFull: (bound: string) => boolean
  /** Whether a commit has found out that another record has the value of this member, which is unique everywhere. */
  readonly isTaken: <R extends Identified>(kind: RecordKind<R>, member: keyof R & string) => boolean
  /** Whether a record with this id, or this unique value, is outside of the reach of the caller. */
  readonly isHidden: (kind: Pick<AnyKind, "name">, member: string, value: string) => boolean
  readonly answers: ReadonlyArray<FoundRecords>
}

/** The key of records of a kind by the value of a member. */
export const keyOf = ({ name }: Pick<AnyKind, "name">, member: string, value: string): string =>
  `${name} ${member} ${value}`

const idOf = ({ record }: Stored<object>): string => String(Reflect.get(record, "id"))

/** Makes `Found` of the answers to finds, in their order. */
export const foundOf = (
  answers: ReadonlyArray<FoundRecords>,
  {
    full = [],
    hidden,
    lastSequence = 0
  }: {
    readonly full?: ReadonlyArray<string>
    /** Keys (`keyOf`) of records outside of the reach of the caller. */
    readonly hidden?: ReadonlySet<string>
    readonly lastSequence?: number
  } = {}
): Found => {
  const records = new Map<string, Map<string, Stored<object>>>()
  for (const { find, stored } of answers) {
    for (const one of stored) {
      const key = keyOf(find.kind, find.by, String(Reflect.get(one.record, find.by)))
      const known = records.get(key) ?? new Map<string, Stored<object>>()
      records.set(key, known)
      if (!known.has(idOf(one))) known.set(idOf(one), one)
    }
  }
  // A record under the key of a kind is a record of that kind.
  const get = <R extends Identified>(key: string) =>
    (records.get(key)?.values().next().value as Stored<R> | undefined) ?? null
  return {
    byId: <R extends Identified>(kind: RecordKind<R>, id: string | null) =>
      id === null ? null : get<R>(keyOf(kind, "id", id)),
    by: <R extends Identified>(kind: RecordKind<R>, member: keyof R & string, value: string | null) =>
      value === null ? null : get<R>(keyOf(kind, member, value)),
    all: <R extends Identified>(kind: RecordKind<R>, member: keyof R & string, value: string) =>
      ([...(records.get(keyOf(kind, member, value))?.values() ?? [])] as Array<Stored<R>>).sort((a, b) =>
        idOf(a) < idOf(b) ? -1 : 1
      ),
    lastSequence,
    isFull: (bound) => full.includes(bound),
    isTaken: () => false,
    isHidden: (kind, member, value) => hidden?.has(keyOf(kind, member, value)) ?? false,
    answers
  }
}

/** A record that a creation refers to, as if it were there. Decisions on it are committed, and so checked. */
export const assumed = <R extends Identified>(kind: RecordKind<R>, record: R): FoundRecords => ({
  find: { kind, by: "id", values: [] },
  stored: [{ record, revision: Revision("assumed") }]
})

/** The same records, with what a commit was refused for. */
export const withObstacle = (found: Found, { full, taken }: Obstacle): Found => ({
  ...found,
  isFull: (name) => name === full || found.isFull(name),
  isTaken: (kind, member) => kind.name === taken?.kind && member === taken.member
})

/**
 * The records that a rule decides on.
 */
import type { AnyKind, Find, RecordKind, Stored } from "./RecordKind.ts"

interface Identified {
  readonly id: string
}

const keyOf = (kind: AnyKind, by: string, value: string): string => `${kind.name} ${by} ${value}`

/**
 * The answer of `Records.load`. A record that is not there is null.
 *
 * @category models
 * @since 0.1.0
 */
export interface Found {
  readonly byId: <R extends Identified>(kind: RecordKind<R>, id: string) => Stored<R> | null
  /** Null, too, for the value null, which no record is found by. */
  readonly by: <R extends Identified>(
    kind: RecordKind<R>,
    member: keyof R & string,
    value: string | null
  ) => Stored<R> | null
}

/**
 * Makes `Found` of the answers to finds, in their order.
 *
 * @category constructors
 * @since 0.1.0
 */
export const foundOf = (
  answers: ReadonlyArray<{ readonly find: Find; readonly stored: ReadonlyArray<Stored<object>> }>
): Found => {
  const records = new Map<string, Stored<object>>()
  for (const { find, stored } of answers) {
    for (const one of stored) {
      records.set(keyOf(find.kind, find.by, String(Reflect.get(one.record, find.by))), one)
    }
  }
  // A record under the key of a kind is a record of that kind.
  const get = <R extends Identified>(key: string) => (records.get(key) as Stored<R> | undefined) ?? null
  return {
    byId: <R extends Identified>(kind: RecordKind<R>, id: string) => get<R>(keyOf(kind, "id", id)),
    by: <R extends Identified>(kind: RecordKind<R>, member: keyof R & string, value: string | null) =>
      value === null ? null : get<R>(keyOf(kind, member, value))
  }
}

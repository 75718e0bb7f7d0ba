/**
 * External ids for rules: one record of a kind alone has each.
 */
import { Array as Arr } from "effect"
import { ExternalIdTaken } from "../ids/ExternalId.ts"
import type { Found } from "./Found.ts"
import type { AnyKind, Find, RecordKind } from "./RecordKind.ts"

/** An absent external id is not set, null is none. */
interface Identified {
  readonly id: string
  readonly externalId?: string | null
}

/** Finds the records that have the external ids. */
export const findsOfExternalIds = (
  kind: AnyKind,
  given: ReadonlyArray<Pick<Identified, "externalId">>
): ReadonlyArray<Find> => {
  const values = given.flatMap(({ externalId }) => externalId ?? [])
  return values.length === 0 ? [] : [{ kind, by: "externalId", values }]
}

/** The refusal of external ids that other records have, in the order of `given`; null without. */
export const externalIdTaken = <R extends { readonly id: string; readonly externalId: string | null }>(
  found: Found,
  kind: RecordKind<R>,
  given: ReadonlyArray<Identified>
): ExternalIdTaken | null => {
  const conflicts = given.flatMap(({ externalId = null, id }): ReadonlyArray<ExternalIdTaken["conflicts"][number]> => {
    if (externalId === null) return []
    if (found.isHidden(kind, "externalId", externalId)) return [{ externalId, takenBy: null }]
    const takenBy = found.by(kind, "externalId", externalId)?.record.id
    return takenBy === undefined || takenBy === id ? [] : [{ externalId, takenBy }]
  })
  return Arr.isArrayNonEmpty(conflicts) ? new ExternalIdTaken({ conflicts }) : null
}

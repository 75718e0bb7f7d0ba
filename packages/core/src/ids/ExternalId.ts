/**
 * Identifiers that callers give to their resources.
 */
import { Schema } from "effect"
import { redactedIds, redactedList } from "../input/Redaction.ts"
import { text } from "../input/Text.ts"
import { Uuid } from "../input/Uuid.ts"

/**
 * Id of a site or portfolio in a system of the caller: 1–200 code points, unique per organisation
 * and kind of resource. It is not trimmed, and letter case counts.
 */
export const ExternalId = text({ min: 1, max: 200 })
export type ExternalId = typeof ExternalId.Type

/** External ids must differ between the resources of a request. A resource without one is not compared. */
export const differentExternalIds = (noun: string) => ({
  part: Schema.Struct({ externalId: Schema.optionalKey(Schema.NullOr(ExternalId)) }),
  value: ({ externalId = null }: { readonly externalId?: string | null }) => externalId,
  path: ["externalId"],
  detail: `is the external id of an earlier ${noun} of this request`
})

/**
 * Other resources of the organisation have these external ids; nothing was changed. `takenBy` is the
 * id of the site or portfolio that has the external id; null when the caller does not see it.
 */
export class ExternalIdTaken extends Schema.TaggedError<ExternalIdTaken>("@solar-sites/core/ExternalIdTaken")(
  "ExternalIdTaken",
  { conflicts: Schema.NonEmptyArray(Schema.Struct({ externalId: Schema.String, takenBy: Schema.NullOr(Uuid) })) }
) {
  readonly code = "external_id_taken"

  override get message(): string {
    // An external id can be a misplaced secret, so the message does not repeat it.
    const nameOf = (takenBy: string | null) => (takenBy === null ? "a resource out of reach" : redactedIds(takenBy))
    return `The external id is taken by ${redactedList(this.conflicts, ({ takenBy }) => nameOf(takenBy))}`
  }
}

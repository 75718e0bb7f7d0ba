/** Second factors as records. */
import { OrganisationId, recordKind, UserId } from "@solar-sites/core"
import { Schema } from "effect"

/**
 * The second factor of the user with this id. Secret and recovery codes (the digests of the unused ones) are
 * hexadecimal. It is active from `enabledAt` on. `lastStep` is that of the last used code.
 */
export class FactorRecord extends Schema.Class<FactorRecord>("@solar-sites/reference-server/FactorRecord")({
  id: UserId,
  organisationId: OrganisationId,
  secret: Schema.String,
  enabledAt: Schema.NullOr(Schema.DateTimeUtcFromString),
  lastStep: Schema.Int,
  recoveryCodes: Schema.Array(Schema.String)
}) {}

export const factorKind = recordKind("second_factor", FactorRecord, {
  references: [
    { member: "organisationId", kind: "organisation" },
    { member: "id", kind: "user", cascade: true }
  ]
})

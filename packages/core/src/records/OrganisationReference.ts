/**
 * Organisations as records, which all others refer to.
 */
import { Schema } from "effect"
import { type Organisation, OrganisationId } from "../organisations/Organisation.ts"
import type { RecordKind } from "./RecordKind.ts"

/**
 * The existence of an organisation.
 *
 * @category kinds
 * @since 0.1.0
 */
export const organisationReference: RecordKind<Pick<Organisation, "id">> = {
  name: "organisation",
  members: Schema.Struct({ id: OrganisationId }),
  unique: [],
  references: [],
  bounds: [],
  isExistence: true
}

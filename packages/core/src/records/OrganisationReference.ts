/**
 * Organisations as records, which all others refer to.
 */
import type { Organisation } from "../organisations/Organisation.ts"
import type { RecordKind } from "./RecordKind.ts"

/**
 * The existence of an organisation.
 *
 * @category kinds
 * @since 0.1.0
 */
export const organisationReference: RecordKind<Pick<Organisation, "id">> = {
  name: "organisation",
  unique: [],
  references: [],
  bounds: [],
  isExistence: true
}

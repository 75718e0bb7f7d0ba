/**
 * Organisations as records.
 */
import type { RecordKind } from "../records/RecordKind.ts"
import type { Organisation } from "./Organisation.ts"

/**
 * The existence of an organisation, which records refer to.
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

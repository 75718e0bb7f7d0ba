/**
 * Members that the service returns and that no caller can set. A body may carry
 * them, so that what was read can be sent back; they never have an effect
 * (specification, section 3).
 *
 * @since 0.1.0
 */
import { Schema, SchemaGetter } from "effect"
import { opaqueValue } from "./OpaqueValue.ts"

/**
 * A member of any value; decoding leaves it out.
 *
 * @category schemas
 * @since 0.1.0
 */
export const ignored = Schema.optionalKey(opaqueValue.annotate({ readOnly: true })).pipe(
  Schema.decodeTo(Schema.optionalKey(Schema.Never), { decode: SchemaGetter.omit(), encode: SchemaGetter.omit() })
)

/**
 * To be spread into the struct of a body. Decoding leaves them out.
 *
 * @category schemas
 * @since 0.1.0
 */
export const readOnlyMembers = {
  id: ignored,
  organisationId: ignored,
  createdAt: ignored,
  updatedAt: ignored,
  version: ignored,
  capacityKw: ignored,
  siteCount: ignored,
  sites: ignored
}

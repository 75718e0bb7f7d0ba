/**
 * Identifiers: read in any letter case, kept in lower case.
 *
 * @since 0.1.0
 */
import { Schema, SchemaTransformation } from "effect"

const lowerCase = SchemaTransformation.transform({
  decode: (text: string) => text.toLowerCase(),
  encode: (text: string) => text
})

/**
 * 36 characters in the shape of a UUID, of any version, since a host may bring
 * ids of its own making. Each kind of id is a brand of it.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Uuid = Schema.String.check(
  Schema.isGUID({ format: "uuid", message: "must be a UUID", faultCode: "invalid_uuid" })
).pipe(Schema.decodeTo(Schema.String, lowerCase))

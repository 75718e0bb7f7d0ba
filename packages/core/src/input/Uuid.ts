/**
 * Ids: accepted in any letter case, stored in lower case.
 */
import { Schema, SchemaTransformation } from "effect"

const lowerCase = SchemaTransformation.transform({
  decode: (text: string) => text.toLowerCase(),
  encode: (text: string) => text
})

/**
 * A UUID of any version, because hosts may bring their own ids. Each kind of id is a brand of it.
 */
export const Uuid = Schema.String.check(
  Schema.isGUID({ format: "uuid", message: "must be a UUID", faultCode: "invalid_uuid" })
).pipe(Schema.decodeTo(Schema.String, lowerCase))

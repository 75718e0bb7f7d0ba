/**
 * Members that the service returns and callers cannot set. A body may contain them, so that clients
 * can send back what they read. They have no effect (specification, section 3).
 */
import { Schema, SchemaGetter } from "effect"
import { opaqueValue } from "./OpaqueValue.ts"

/** An optional member of any value. Decoding removes it. */
export const ignored = Schema.optionalKey(opaqueValue.annotate({ readOnly: true })).pipe(
  Schema.decodeTo(Schema.optionalKey(Schema.Never), { decode: SchemaGetter.omit(), encode: SchemaGetter.omit() })
)

/**
 * Fields without types. The input type has no such members, so errors of the compiler do not list
 * them. It accepts an object that was read, since only literals are checked for further members.
 */
export type Untyped = Readonly<Record<never, never>>

/** Fields for the struct of a body. Decoding removes them. */
export const readOnlyMembers: Untyped = {
  id: ignored,
  organisationId: ignored,
  createdAt: ignored,
  updatedAt: ignored,
  version: ignored,
  capacityKw: ignored,
  siteCount: ignored,
  sites: ignored
}

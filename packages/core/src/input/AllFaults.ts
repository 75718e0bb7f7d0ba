/**
 * Faults of checks across members, such as items that must differ. A schema runs such a check once
 * all members are valid, so a fault of another member would hide the fault of the check.
 */
import { Effect, Result, Schema, SchemaIssue, SchemaParser, SchemaTransformation } from "effect"
import { opaqueAs, opaqueValue } from "./OpaqueValue.ts"

type Codec = Schema.Constraint & { readonly DecodingServices: never; readonly EncodingServices: never }

/**
 * The schema. Input that it refuses is also decoded by `rule`, for the same check over the members
 * that are valid, and has the faults of both. Members that `rule` does not declare are ignored.
 * `sent` is the type of the input, by which a union chooses its member.
 */
export const withFaultsOf = <S extends Codec>(
  rule: Schema.ConstraintDecoder<unknown>,
  schema: S,
  sent: Schema.Codec<S["Encoded"]> = opaqueAs(schema)
): Schema.Codec<S["Type"], S["Encoded"]> => {
  const decode = SchemaParser.decodeUnknownEffect(schema)
  const decodeRule = SchemaParser.decodeUnknownResult(rule)
  return sent.pipe(
    Schema.decodeTo(
      // The transformation checks every member.
      opaqueValue as Schema.Codec<S["Type"]>,
      SchemaTransformation.transformEffect({
        decode: (value: S["Encoded"], options) =>
          Effect.catchEager(decode(value, options), (issue) => {
            const checked = decodeRule(value, { ...options, onExcessProperty: "ignore" })
            return Effect.fail(
              Result.isSuccess(checked) ? issue : new SchemaIssue.Composite(schema.ast, [issue, checked.failure])
            )
          }),
        encode: SchemaParser.encodeUnknownEffect(schema)
      })
    )
  )
}

/** The decoded value, or null for a value that is not valid. */
export const orNullIfInvalid = <A>(schema: Schema.ConstraintDecoder<A>): Schema.Codec<A | null, unknown> => {
  const decode = SchemaParser.decodeUnknownResult(schema)
  return opaqueValue.pipe(
    Schema.decodeTo(
      opaqueValue as Schema.Codec<A | null>,
      SchemaTransformation.transform({
        decode: (sent: unknown) => Result.getOrElse(decode(sent), () => null),
        encode: (value: A | null): unknown => value
      })
    )
  )
}

/**
 * Arbitraries of structs by member, from the schema or from a given arbitrary where the schema
 * rarely gives valid values.
 */
import { Arbitrary, Schema, SchemaAST } from "effect"
import { oneOf } from "./Choices.ts"

type Values = Readonly<Record<string, Arbitrary.Arbitrary<unknown>>>

const absent = Arbitrary.Constant(undefined)

/** True for members that decoding removes. */
const isIgnored = (field: Schema.Constraint): boolean => SchemaAST.isNever(Schema.toType(field).ast)

const memberOf = (field: Schema.Constraint, own: Arbitrary.Arbitrary<unknown> | undefined) => {
  const encoded = Schema.toEncoded(field)
  const value = own ?? Arbitrary.schema(encoded)
  return SchemaAST.isOptional(encoded.ast) ? oneOf<unknown>(absent, value) : value
}

/**
 * Objects in JSON form. Optional members are present or absent. Given arbitraries without a member
 * are ignored.
 */
export const members = (
  fields: Schema.Struct.Fields,
  own: Values
): Arbitrary.Arbitrary<Readonly<Record<string, unknown>>> => {
  const values = Object.entries(fields)
    .filter(([, field]) => !isIgnored(field))
    .map(([name, field]): readonly [string, Arbitrary.Arbitrary<unknown>] => [name, memberOf(field, own[name])])
  return Arbitrary.map(Arbitrary.all(Object.fromEntries(values)), (all) =>
    Object.fromEntries(
      Object.entries(all)
        .filter(([, value]) => value !== undefined)
        // JSON has no negative zero.
        .map(([name, value]) => [name, value === 0 ? 0 : value])
    )
  )
}

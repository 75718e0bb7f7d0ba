/**
 * Bodies and queries, read by schemas of the contract. What follows from their values, and the order of
 * checks, is up to the rules of the model.
 */
import { faultsOf } from "@solar-sites/core/model"
import { Result, Schema, SchemaParser } from "effect"
import { type Call, type Expected, refused } from "./Call.ts"

interface Fault {
  readonly pointer: string
  readonly code: string
}

/** The values in their stored form, or the faults. */
export const read = <A>(schema: Schema.Decoder<A>, input: unknown): Result.Result<A, ReadonlyArray<Fault>> => {
  const decode = SchemaParser.decodeUnknownResult(schema, { errors: "all", onExcessProperty: "error" })
  return Result.mapError(decode(input), faultsOf)
}

const refusalOf = (faults: ReadonlyArray<Fault>): Expected => {
  const isFilename = faults.every(({ code }) => code === "invalid_filename")
  const pointers = faults.map(({ pointer }) => pointer)
  return refused(400, isFilename ? "invalid_filename" : "validation_failed", pointers)
}

/** The answer to the values of the body, or the refusal of its faults. */
export const given = <A>(
  schema: Schema.Decoder<A>,
  { body }: Pick<Call, "body">,
  answer: (values: A) => Expected
): Expected => Result.match(read(schema, body), { onFailure: refusalOf, onSuccess: answer })

/** A query may have the number of a limit in one spelling alone; all others are no numbers. */
const spelt = (name: string, value: string | undefined): string | undefined =>
  name !== "limit" || /^[1-9]\d*$/.test(value ?? "") ? value : "no limit"

const codecs = new WeakMap<object, Schema.Decoder<unknown>>()

/** The same schema for the texts of a query. */
const inQuery = <A>(schema: Schema.Codec<A, unknown>): Schema.Decoder<A> => {
  const codec = codecs.get(schema) ?? Schema.toCodecArrayFromSingle(Schema.toCodecStringTree(schema))
  codecs.set(schema, codec)
  return codec as Schema.Decoder<A> // The codec of this schema.
}

/** The answer to the values of the query, or the refusal of its faults. */
export const asked = <A>(
  schema: Schema.Codec<A, unknown>,
  { query }: Pick<Call, "query">,
  answer: (values: A) => Expected
): Expected => {
  const parameters = Object.fromEntries(
    query.map(([name]) => {
      const values = query.flatMap(([other, value]) => (other === name ? [value] : []))
      return [name, values.length === 1 ? spelt(name, values[0]) : values]
    })
  )
  return Result.match(read(inQuery(schema), parameters), { onFailure: refusalOf, onSuccess: answer })
}

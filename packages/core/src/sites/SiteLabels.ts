/**
 * Tags and attributes of a site.
 */
import { Schema, SchemaTransformation } from "effect"
import { withFaultsOf } from "../input/AllFaults.ts"
import { distinctArray } from "../input/BoundedArray.ts"
import { normalised } from "../input/NormalForm.ts"
import { opaqueAs } from "../input/OpaqueValue.ts"
import { plainTextPattern, text } from "../input/Text.ts"
import { maximumTags } from "./TagLimits.ts"

const Tag = text({ min: 1, max: 50 })

/** At most 20 different texts of 1–50 code points, in the given order. */
export const Tags = distinctArray(Tag, {
  ...{ min: 0, max: maximumTags, noun: "tag" },
  distinct: { part: Tag, value: (tag) => tag, detail: "is there already" }
})
export type Tags = typeof Tags.Type

/** Tags of a query. */
export const SearchedTags = Schema.Array(Tag).check(
  Schema.isMaxLength(maximumTags, { message: `must be at most ${maximumTags} tags`, faultCode: "too_many" })
)

const maximumAttributes = 50

// Checked after decoding: a name that a record does not expect would be an unknown member.
const maximumName = 100
const AttributeName = Schema.String.pipe(Schema.decodeTo(text({ min: 1, max: maximumName })))
const AttributeValue = Schema.Union([text({ max: 1_000 }), Schema.Finite, Schema.Boolean, Schema.Null])

// An alias, since an interface is no JSON value.
export type Attributes = { readonly [name: string]: typeof AttributeValue.Type }

const isMembers = (input: unknown): input is object =>
  typeof input === "object" && input !== null && !Array.isArray(input)

/**
 * Sorts by name: the order of members has no meaning in JSON, and a database does not keep it.
 */
export const sortedAttributes = (attributes: Attributes): Attributes =>
  // `fromEntries` defines members, so `__proto__` is a name like any other.
  Object.fromEntries(Object.entries(attributes).sort(([a], [b]) => (a < b ? -1 : 1)))

// Checked before names and values, as in `boundedArray`.
const fewMembers = Schema.makeFilter(
  (input: unknown) => !isMembers(input) || Object.keys(input).length <= maximumAttributes,
  {
    message: `must hold at most ${maximumAttributes} attributes`,
    faultCode: "too_many",
    representation: { id: "@solar-sites/core/attributeNames", payload: null },
    toJsonSchema: () => ({
      propertyNames: { minLength: 1, maxLength: maximumName, pattern: plainTextPattern(false, false) }
    })
  },
  true
)

// A name that is longer than this is refused by its length.
const normalName = (name: string): string => (name.length > 8 * maximumName ? name : (normalised(name, "NFC") ?? name))

/** The names that are equal to another name of the input in NFC. */
const equalNames = (input: object): ReadonlyArray<string> => {
  const names = Object.keys(input).map((name) => [name, normalName(name)] as const)
  if (new Set(names.map(([, normal]) => normal)).size === names.length) return []
  const isEqual = (normal: string) => names.filter((other) => other[1] === normal).length > 1
  return names.flatMap(([name, normal]) => (isEqual(normal) ? [name] : []))
}

const differentNames = Schema.makeFilter(
  (input: unknown) => (isMembers(input) ? equalNames(input).map((name) => ({ path: [name], issue: "duplicate" })) : []),
  { message: "is equal to another name in NFC", faultCode: "duplicate" }
)

const Members = Schema.Record(AttributeName, AttributeValue)
const Sent = opaqueAs(
  Schema.Record(Schema.String, AttributeValue).check(Schema.isMaxProperties(maximumAttributes))
).check(fewMembers)

/**
 * At most 50 values by name, in ascending order of name. A name has 1–100 code points. A value is a
 * text of at most 1,000 code points, a finite number, a boolean or null. Names differ in NFC.
 */
export const Attributes = withFaultsOf(
  Sent.pipe(Schema.decodeTo(Members)),
  Sent.check(differentNames).pipe(Schema.decodeTo(Members))
).pipe(
  Schema.decodeTo(
    Schema.Record(Schema.String, Schema.toType(AttributeValue)),
    SchemaTransformation.transform({ decode: sortedAttributes, encode: sortedAttributes })
  )
)

/** In changes, null becomes the empty value. */
export const emptied = <S extends Schema.Constraint>(schema: S, empty: S["Type"]) =>
  Schema.NullOr(schema).pipe(
    Schema.decodeTo(
      Schema.toType(schema),
      SchemaTransformation.transform({ decode: (value) => value ?? empty, encode: (value) => value })
    )
  )

/**
 * Values that mostly fit a JSON Schema. The validator has the last word, so a value may miss it.
 */
import * as fc from "fast-check"
import type { JsonSchema } from "./Contract.ts"
import { cursorPlaceholder, type Kind, placeholdersOf } from "./Placeholders.ts"

const kindOf: Readonly<Record<string, Kind>> = {
  siteId: "site",
  siteIds: "site",
  portfolioId: "portfolio",
  replaces: "document",
  subjectId: "site",
  deliveryId: "delivery"
}

/** An id of this kind; seldom one of another kind, of another organisation, or of nothing. */
export const idOf = (kind: Kind): fc.Arbitrary<string> => {
  const own = fc.constantFrom(...placeholdersOf(kind))
  const other = fc.constantFrom(
    ...(["site", "portfolio", "document", "foreign", "absent"] as const).flatMap(placeholdersOf)
  )
  return fc.oneof(
    { weight: 12, arbitrary: own },
    { weight: 1, arbitrary: own.map((id) => id.toUpperCase()) },
    { weight: 2, arbitrary: other }
  )
}

const samples: Readonly<Record<string, ReadonlyArray<string>>> = {
  email: ["ada@example.com", " ada@example.com ", "ä@b", "a@b@c"],
  coverImageUrl: [
    "https://example.com/a.png",
    "HTTPS://example.com:8443/?q=ü#x",
    "https://[::1]/",
    "http://example.com/"
  ],
  url: ["https://hooks.example.com/a", "https://hooks.example.com:8443/?token=1", "http://hooks.example.com/"],
  filename: ["plan.pdf", "Übersicht 2026.pdf", "a", ".hidden", "con"],
  mimeType: ["application/pdf", "text/plain; charset=utf-8", "IMAGE/PNG", "", "image/jpeg", "nothing"],
  cursor: [cursorPlaceholder]
}

const dates = ["2026-01-31", "2024-02-29", "0001-01-01", "9999-12-31", "2000-02-29", "2026-11-22"]
const instants = [
  "2026-01-31T09:30:00Z",
  "2024-02-29t23:59:59.123456789z",
  "2026-06-30T23:59:59+14:00",
  "1970-01-01T00:00:00.1-00:30",
  "9999-12-31T23:59:59.999-14:00",
  "0001-01-01T00:00:00+14:00"
]

const texts = fc.constantFrom(
  "Long Meadow",
  " padded ",
  "drop table site; --",
  "<b>&amp;</b>",
  "e\u0301tude",
  "\u1e9b\u0323 \ufb01 \uac00",
  "مرحبا",
  "👩‍🌾 fields",
  "=1+1",
  "null",
  "__proto__",
  "a\nb",
  "a\r\nb"
)

/** A text of `length` repetitions: of one byte, of a composed and decomposed letter, of two units. */
const repeated = (length: number): fc.Arbitrary<string> =>
  fc.constantFrom("a", "é", "e\u0301", "😀", "\u0958").map((character) => character.repeat(length))

const textOf = ({ maxLength = 40, minLength = 0 }: JsonSchema): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 6, arbitrary: texts },
    { weight: 6, arbitrary: fc.string({ unit: "grapheme", minLength, maxLength: Math.min(maxLength, 12) }) },
    { weight: 1, arbitrary: repeated(maxLength) },
    { weight: 1, arbitrary: repeated(minLength) }
  )

const stringOf = (schema: JsonSchema, name: string): fc.Arbitrary<string> => {
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  if (schema.format === "uuid") return idOf(kindOf[name] ?? "absent")
  if (schema.format === "date") return fc.constantFrom(...dates)
  if (schema.format === "date-time") return fc.constantFrom(...instants)
  const own = samples[name]
  return own === undefined
    ? textOf(schema)
    : fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...own) }, textOf(schema))
}

const numberOf = ({ exclusiveMinimum, maximum, minimum }: JsonSchema): fc.Arbitrary<number> => {
  const from = minimum ?? exclusiveMinimum ?? -1e300
  const to = maximum ?? 1e300
  return fc.oneof(
    { weight: 3, arbitrary: fc.double({ min: from, max: to, noNaN: true }) },
    { weight: 1, arbitrary: fc.constantFrom(from, to, 1, 0.1, -0, 1e-7, 5e-324, 1234.5678901234567) }
  )
}

const integerOf = ({ maximum = Number.MAX_SAFE_INTEGER, minimum = 0 }: JsonSchema): fc.Arbitrary<number> =>
  fc.oneof(fc.integer({ min: minimum, max: Math.min(maximum, minimum + 20) }), fc.constantFrom(minimum, maximum))

/** A member that is absent with its frequency: 1 of `absences` is present. */
const presentIn = <A>(absences: number, value: fc.Arbitrary<A>): fc.Arbitrary<ReadonlyArray<A>> => {
  const present = value.map((one): ReadonlyArray<A> => [one])
  return absences === 1
    ? present
    : fc.oneof(
        { weight: absences - 1, arbitrary: fc.constant<ReadonlyArray<A>>([]) },
        { weight: 1, arbitrary: present }
      )
}

const objectOf = ({ additionalProperties, properties = {}, required = [] }: JsonSchema): fc.Arbitrary<unknown> => {
  const members = Object.entries(properties).map(([name, schema]) => {
    const absences = required.includes(name) ? 1 : schema.readOnly === true ? 15 : 2
    const member = valueFor(schema, name).map((value) => [name, value] as const)
    return presentIn(absences, member)
  })
  if (typeof additionalProperties !== "object") return fc.tuple(...members).map((all) => Object.fromEntries(all.flat()))
  const names = fc.oneof(texts, fc.string({ unit: "grapheme", minLength: 1, maxLength: 8 }), repeated(100))
  return fc.dictionary(names, valueFor(additionalProperties, ""), { maxKeys: 5, noNullPrototype: true })
}

const anything = fc.constantFrom<unknown>(null, true, 0, 1.5, "", "text", [], {}, [[]], { a: [null] })

/** The schema beside its alternatives. */
const membersOnly = ({ oneOf: _, ...schema }: JsonSchema): JsonSchema => schema

/** `name` is that of the member or parameter. */
export const valueFor = (schema: JsonSchema, name: string): fc.Arbitrary<unknown> => {
  const alternatives = schema.anyOf ?? (schema.oneOf && [...schema.oneOf, membersOnly(schema)])
  if (alternatives !== undefined) {
    const [first, ...others] = alternatives.map((one) => valueFor(one, name))
    if (first === undefined) return anything
    return fc.oneof({ weight: 4, arbitrary: first }, ...others.map((arbitrary) => ({ weight: 2, arbitrary })))
  }
  if (schema.enum !== undefined || schema.type === "string") return stringOf(schema, name)
  if (schema.type === "number") return numberOf(schema)
  if (schema.type === "integer") return integerOf(schema)
  if (schema.type === "boolean") return fc.boolean()
  if (schema.type === "null") return fc.constant(null)
  if (schema.type === "object") return objectOf(schema)
  if (schema.type !== "array" || schema.items === undefined) return anything
  const { items, maxItems = 3, minItems = 0 } = schema
  return fc.array(valueFor(items, name), { minLength: minItems, maxLength: Math.min(maxItems, 3) })
}

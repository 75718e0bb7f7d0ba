/** Faults of wrong values, and the JSON Schemas of texts, days, timestamps and ids. */
import { CalendarDate, type Fault, faultsOf, Name, Site } from "@solar-sites/core"
import { Result, Schema } from "effect"
import { describe, expect, it } from "vitest"
import { distinctArray } from "../../src/input/BoundedArray.ts"
import { allowedInPattern, forbiddenInPattern, plainTextPattern, text } from "../../src/input/Text.ts"
import { Timestamp } from "../../src/input/Timestamp.ts"
import { Uuid } from "../../src/input/Uuid.ts"
import { Capacity } from "../../src/sites/Capacity.ts"

const faultsIn = (schema: Schema.Decoder<unknown>, value: unknown): ReadonlyArray<Fault> => {
  const result = Schema.decodeUnknownResult(schema)(value, { errors: "all" })
  return Result.isFailure(result) ? faultsOf(result.failure.issue) : []
}

const schemaOf = (schema: Schema.Constraint) => Schema.toJsonSchemaDocument(schema).schema

const fault = (code: string, detail: string) => [{ pointer: "", code, detail }]
const lone = fault("forbidden_character", "must not hold lone surrogates")
const control = fault("forbidden_character", "must not hold control characters or bidirectional overrides")

describe("a fault", () => {
  it("of a text names the rule and its limit", () => {
    const code = text({ min: 2, max: 3 })
    expect(faultsIn(Name, "a\ud800")).toEqual(lone)
    expect(faultsIn(Name, "a\u0000")).toEqual(control)
    expect(faultsIn(Name, " ")).toEqual(fault("too_short", "must not be empty"))
    expect(faultsIn(code, "a")).toEqual(fault("too_short", "must have at least 2 characters"))
    expect(faultsIn(code, "abcd")).toEqual(fault("too_long", "must have at most 3 characters"))
    expect(faultsIn(text({ max: 3 }), "")).toEqual([])
  })

  it("of a day, a timestamp, an id and a capacity names the form", () => {
    expect(faultsIn(CalendarDate, "1.1.2026")).toEqual(fault("invalid_date", "must be a day as YYYY-MM-DD"))
    expect(faultsIn(Timestamp, "now")).toEqual(
      fault("invalid_timestamp", "must be a timestamp such as 2026-01-31T09:30:00Z")
    )
    expect(faultsIn(Uuid, "17")).toEqual(fault("invalid_uuid", "must be a UUID"))
    expect(faultsIn(Capacity, 0)).toEqual(fault("out_of_range", "must be greater than 0"))
    expect(faultsIn(Capacity, 1e9 + 1)).toEqual(fault("out_of_range", "must be at most 1000000000"))
  })

  it("of a repeated value is at each repetition, beside faults of other items; null is no value", () => {
    const Item = Schema.NullOr(Schema.String)
    const distinct = { part: Item, value: (item: string | null) => item, detail: "is repeated" }
    const unique = distinctArray(Item, { max: 6, noun: "item", distinct })
    const repeated = ["/3", "/5"].map((pointer) => ({ pointer, code: "duplicate", detail: "is repeated" }))
    expect(faultsIn(unique, ["a", null, "b", "a", null, "a"])).toEqual(repeated)
    expect(faultsIn(unique, ["a", "b", null, null])).toEqual([])
    expect(faultsIn(unique, ["a", 1, 1, "a", "b", "a"]).map(({ code, pointer }) => `${pointer} ${code}`)).toEqual([
      ...["/1 invalid_type", "/2 invalid_type", "/3 duplicate", "/5 duplicate"]
    ])
    expect(faultsIn(unique, Array(7).fill("a")).map(({ code }) => code)).toEqual(["too_many"])
    expect(Schema.encodeSync(unique)(["a", null])).toEqual(["a", null])
  })
})

describe("a JSON Schema", () => {
  it("of a text has its lengths and its pattern", () => {
    const pattern = plainTextPattern(true, false)
    expect(schemaOf(Name)).toEqual({ type: "string", minLength: 1, maxLength: 200, pattern })
    expect(schemaOf(text({ max: 5, trim: true, lines: true }))).toEqual({
      ...{ type: "string", maxLength: 5, pattern: plainTextPattern(false, true) }
    })
    expect(schemaOf(text({ min: 1, max: 5 }))).toMatchObject({ pattern: plainTextPattern(false, false) })
    expect(schemaOf(text({ max: 5, pattern: "^x$" }))).toMatchObject({ pattern: "^x$" })
  })

  it("of a text matches what is accepted, and nothing else", () => {
    const matches = (isFilled: boolean, lines: boolean) => new RegExp(plainTextPattern(isFilled, lines), "u")
    expect(["", "a b", " ", "\u{1F31E}"].map((one) => matches(false, false).test(one))).toEqual(Array(4).fill(true))
    expect(["a", " a ", "", "  "].map((one) => matches(true, false).test(one))).toEqual([true, true, false, false])
    expect(["a\nb", "a\r\nb", "a\rb", "\u202e"].map((one) => matches(false, true).test(one))).toEqual([
      ...[true, true, false, false]
    ])
    expect(matches(true, true).test("\n")).toBe(false)
    expect(allowedInPattern()).toBe(`(?:[^${forbiddenInPattern}]|[\\ud800-\\udbff][\\udc00-\\udfff])`)
  })

  it("of a day and a timestamp has the format and a pattern", () => {
    const day = schemaOf(CalendarDate)
    expect(day).toMatchObject({ type: "string", format: "date" })
    expect(new RegExp(String(day["pattern"])).test("2026-01-31")).toBe(true)
    expect(new RegExp(String(day["pattern"])).test("0000-01-31 ")).toBe(false)
    const timestamp = schemaOf(Timestamp)
    expect(timestamp).toMatchObject({ type: "string", format: "date-time" })
    expect(new RegExp(String(timestamp["pattern"])).test("2026-01-31T09:30:00Z")).toBe(true)
  })
})

describe("a value", () => {
  it("is encoded as itself", () => {
    expect(Schema.encodeSync(Name)("Café")).toBe("Café")
    expect(Schema.encodeSync(Uuid)("0193e6f4-1c2d-7a3b-8c4d-5e6f708192a3")).toBe("0193e6f4-1c2d-7a3b-8c4d-5e6f708192a3")
    expect(Schema.decodeSync(Site.fields.siteName)("Café")).toBe("Café")
  })

  it("of a text is in NFC, with line feeds alone, and trimmed before its length counts", () => {
    expect(Schema.decodeSync(text({ max: 3 }))(" a ")).toBe(" a ")
    expect(Schema.decodeSync(Name)(`${" ".repeat(2_000)}a`)).toBe("a")
    expect(Schema.decodeSync(text({ max: 9, lines: true }))("a\r\nb")).toBe("a\nb")
    expect(Schema.decodeSync(text({ max: 9 }))("e\u0301".repeat(9))).toBe("é".repeat(9))
  })
})

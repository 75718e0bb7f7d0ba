import { describe, expect, it } from "vitest"
import { tagsOf, unitIn } from "../../src/import/CellValues.ts"
import { numberOf } from "../../src/import/NumberText.ts"

const read = (text: string, hasCommaDecimals: boolean, isSmall = false): unknown => {
  const result = numberOf(text, { hasCommaDecimals, isSmall })
  return "value" in result ? result.value : result.code
}

describe("a number in a text", () => {
  it.each([
    ["1200", 1200],
    ["-1.5", -1.5],
    ["+1.5", 1.5],
    ["\u22121.5", -1.5],
    [".5", 0.5],
    ["1e3", 1000],
    [" 7 ", 7],
    ["1.234,5", 1234.5],
    ["1,234.5", 1234.5],
    ["1.234.567,89", 1234567.89],
    ["1.234.567", 1234567],
    ["1,234,567", 1234567],
    ["1 234 567", 1234567],
    ["1\u202f234,5", 1234.5],
    ["2\u00a0500", 2500],
    ["1'234.5", 1234.5],
    ["", null],
    [" ", null]
  ])("%s is read where commas are decimal signs", (text, value) => {
    expect(read(text, true)).toBe(value)
  })

  it.each([
    ["12,5", 12.5],
    ["1,234", 1.234],
    ["0.500", 0.5],
    ["1.23", 1.23],
    ["1234.567", 1234.567],
    ["1.234", "ambiguous_number"]
  ])("%s is read by the rules of decimal commas", (text, value) => {
    expect(read(text, true)).toBe(value)
  })

  it.each([
    ["1.234", 1.234],
    ["1,234.5", 1234.5],
    ["1.234,5", 1234.5],
    ["1,234", "ambiguous_number"],
    ["12,5", "ambiguous_number"]
  ])("%s is read by the rules of decimal points", (text, value) => {
    expect(read(text, false)).toBe(value)
  })

  it("has no thousands where it is small", () => {
    expect(read("51.501", true, true)).toBe(51.501)
  })

  it.each(["many", "1,5 kWp", "0x10", "NaN", "Infinity", "1-2", "-", ",", "e5", "1e", "12 34"])(
    "%s is none",
    (text) => {
      expect(["invalid_number", "ambiguous_number"]).toContain(read(text, true))
    }
  )

  it.each(["1.23,4.5", "12,34.5", "1.2.3", "1,23,456", "1.234,567,8", "1234,567.8"])("%s is ambiguous", (text) => {
    expect([read(text, true), read(text, false)]).toEqual(["ambiguous_number", "ambiguous_number"])
  })
})

describe("other values", () => {
  it("are units in any letter case", () => {
    expect(["kwp", "KWP", " MW ", "w", "hp"].map(unitIn)).toEqual(["kWp", "kWp", "MW", "W", undefined])
  })

  it("are tags in JSON or with separators", () => {
    expect(tagsOf("roof; north ;")).toEqual({ value: ["roof", "north"] })
    expect(tagsOf("roof, north")).toEqual({ value: ["roof", "north"] })
    expect(tagsOf('["a;b","c"]')).toEqual({ value: ["a;b", "c"] })
    expect(tagsOf("[a]")).toMatchObject({ code: "invalid_json" })
  })
})

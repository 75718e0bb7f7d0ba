import { describe, expect, it } from "vitest"
import { numberReadings, readNumber } from "../../src/texts/numbers.ts"

describe("a typed number", () => {
  it.each([
    ["0", 0],
    ["48.6", 48.6],
    ["48,6", 48.6],
    [" 1234.5 ", 1_234.5],
    ["1,234.5", 1_234.5],
    ["1.234,5", 1_234.5],
    ["1 234,5", 1_234.5],
    ["1’234.5", 1_234.5],
    ["1 234", 1_234],
    ["1,234,567", 1_234_567],
    ["1.234.567", 1_234_567],
    ["12,34,567", 1_234_567],
    ["-0.25", -0.25],
    ["−0,25", -0.25],
    ["0.125", 0.125],
    ["0,125", 0.125],
    ["12,34", 12.34],
    ["1,2345", 1.2345],
    ["1234,567", 1_234.567],
    ["1.2340", 1.234]
  ])("%j is %d", (text, value) => expect(numberReadings(text)).toEqual([value]))

  it.each([
    ["1.234", [1.234, 1_234]],
    ["1,234", [1_234, 1.234]],
    ["-12.345", [-12.345, -12_345]],
    ["999,999", [999_999, 999.999]]
  ])("%j has two readings, so it is refused", (text, readings) => {
    expect(numberReadings(text)).toEqual(readings)
    expect(readNumber(text)).toBeNaN()
  })

  it("has one reading where the other one is impossible", () => {
    expect(readNumber("51.123", 90)).toBe(51.123)
    expect(readNumber("-2,304", 180)).toBe(-2.304)
    // Too large in every reading, which the server says.
    expect(readNumber("1234", 90)).toBe(1_234)
  })

  it.each([
    "1.2.3",
    "1e6",
    "0x10",
    "Infinity",
    "--1",
    "1.",
    ".5",
    "5 kWp",
    "",
    "1,23,4",
    "1 23",
    "0,123,456",
    "1.234.5"
  ])("%j is none", (text) => expect(numberReadings(text)).toEqual([]))
})

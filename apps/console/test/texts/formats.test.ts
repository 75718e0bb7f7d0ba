import { describe, expect, it } from "vitest"
import { formatUntil, makeFormats } from "../../src/texts/formats.ts"
import { locales } from "../../src/texts/locale.ts"
import { readNumber } from "../../src/texts/numbers.ts"

/** Browsers write spaces of several widths, and two apostrophes. */
const plain = (text: string): string => text.replaceAll(/\s/g, " ").replaceAll("'", "’")

describe("formats", () => {
  const { formatBytes, formatDate, formatInstant, formatNumber } = makeFormats("en-GB")

  it("write dates with the name of the month", () => {
    expect(formatDate("2026-11-05T12:00:00Z")).toBe("5 Nov 2026")
    expect(formatInstant("2026-11-05T12:00:00Z")).toMatch(/^5 Nov 2026, \d\d:00$/)
  })

  it.each([
    ["en-US", "1,234,567.125", "Nov 20, 2026"],
    ["de-DE", "1.234.567,125", "20.11.2026"],
    ["de-CH", "1’234’567.125", "20.11.2026"],
    ["fr-FR", "1 234 567,125", "20 nov. 2026"],
    ["en-IN", "12,34,567.125", "20 Nov 2026"],
    // In the digits and the calendar that fields read.
    ["ar-EG", "1,234,567.125", "20/11/2026"],
    ["th-TH", "1,234,567.125", "20 พ.ย. 2026"],
    // A locale that no browser should have.
    ["en_US.UTF-8", "1,234,567.125", "20 Nov 2026"]
  ])("follow the notation of %s", (locale, number, day) => {
    const formats = makeFormats(locale)
    expect(plain(formats.formatNumber(1_234_567.125))).toBe(number)
    // Marks that order right-to-left text are not seen.
    expect(plain(formats.formatDay("2026-11-20")).replaceAll(/\p{Cf}/gu, "")).toContain(day)
  })

  it.each([
    [2 * 86_400_000 - 10_000, "in 2 days"],
    [86_400_000 - 10_000, "in 1 day"],
    [5 * 3_600_000, "in 5 hours"],
    [90_000, "in 2 minutes"],
    [1, "in 1 minute"]
  ])("%d ms from now", (milliseconds, text) => expect(formatUntil(milliseconds)).toBe(text))

  it.each([
    [0, "0 bytes"],
    [1, "1 byte"],
    [1_023, "1,023 bytes"],
    [1_024, "1 KiB"],
    [4_456_448, "4.3 MiB"],
    [100 * 1_024 ** 2, "100 MiB"],
    [7 * 1_024 ** 4, "7,168 GiB"]
  ])("%d bytes", (bytes, text) => expect(formatBytes(bytes)).toBe(text))

  const values = [
    1, 0.1, 1e-7, 48.6, 1.234, -12.345, 1_234, 1_234_567.125, 1e9, -179.999_999, 5e-90, 0.30000000000000004
  ]

  it.each(locales)("write numbers for fields of %s, which read the same value", (locale) => {
    const { editableNumber } = makeFormats(locale)
    expect(values.map((value) => readNumber(editableNumber(value)))).toEqual(values)
    expect(readNumber(editableNumber(51.123, 90), 90)).toBe(51.123)
  })

  it("write numbers that are read again, unless they have two readings", () => {
    for (const value of [0.125, 48.6, 12.25, 1_234_567.125, 999]) expect(readNumber(formatNumber(value))).toBe(value)
    expect(readNumber(formatNumber(1_234))).toBeNaN()
    expect(makeFormats("en-GB").editableNumber(1.234)).toBe("1.2340")
    expect(makeFormats("de-DE").editableNumber(1.234)).toBe("1,2340")
    expect(makeFormats("de-DE").editableNumber(51.123, 90)).toBe("51,123")
  })
})

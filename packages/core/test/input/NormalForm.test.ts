import { faultsOf, Name, normalised } from "@solar-sites/core"
import { Result, Schema } from "effect"
import { afterEach, describe, expect, it, vi } from "vitest"
import { text } from "../../src/input/Text.ts"

const acute = "\u0301"
const below = "\u0316"
// A mark of two code units.
const stem = "\u{1D165}"

/** A text of marks in an order that normalisation reverses, in runs of this length. */
const runs = (length: number, count: number) =>
  `a${acute.repeat(Math.ceil(length / 2))}${below.repeat(Math.floor(length / 2))}`.repeat(count)

/** Codes of the faults of a text. */
const codesOf = (schema: Schema.Decoder<unknown>, value: string) => {
  const result = Schema.decodeUnknownResult(schema)(value, { errors: "all" })
  return Result.isFailure(result) ? faultsOf(result.failure.issue).map(({ code }) => code) : []
}

describe("normalised", () => {
  it("gives the normal form", () => {
    expect(normalised(`e${acute}`, "NFC")).toBe("é")
    expect(normalised("ﬁ", "NFKC")).toBe("fi")
    expect(normalised("", "NFC")).toBe("")
  })

  it.each([
    ["of one code unit", acute],
    ["of two code units", stem],
    ["that NFKC makes of a letter", "\uff9e"]
  ])("allows 30 marks in a row and no more, %s", (_, mark) => {
    expect(normalised(`a${mark.repeat(30)}b${mark.repeat(30)}`, "NFC")).not.toBeNull()
    expect(normalised(`a${mark.repeat(31)}`, "NFC")).toBeNull()
    expect(normalised(mark.repeat(31), "NFKC")).toBeNull()
    expect(normalised(`${mark.repeat(90)}a`, "NFC")).toBeNull()
  })

  it("knows every mark of Unicode", () => {
    const missed: Array<string> = []
    for (let code = 0; code <= 0x10ffff; code++) {
      const letter = String.fromCodePoint(code)
      if (/\p{M}/u.test(letter) && normalised(letter.repeat(31), "NFC") !== null) missed.push(code.toString(16))
    }
    expect(missed).toEqual([])
  })

  it("refuses marks between which NFKC puts no letter", () => {
    expect(normalised(`${acute.repeat(30)}\uff9e`.repeat(2), "NFKC")).toBeNull()
  })

  it("refuses a text that its normal form would refuse", () => {
    const text = `\u01d6${"\u0323".repeat(30)}`
    expect(text.normalize("NFC")).toMatch(/\p{M}{31}/u)
    expect(normalised(text, "NFC")).toBeNull()
  })
})

describe("a text of input", () => {
  afterEach(() => vi.restoreAllMocks())

  it("names marks in a row as its fault, after which NFC has it as well", () => {
    const schema = text({ max: 1_000 })
    expect(codesOf(schema, `a${acute.repeat(30)}`)).toEqual([])
    expect(codesOf(schema, `a${acute.repeat(31)}`)).toEqual(["too_many_marks"])
    expect(codesOf(Name, `a${acute.repeat(31)}\u0000`)).toEqual(["forbidden_character", "too_many_marks"])
    expect(codesOf(Name, `\u01d6${"\u0323".repeat(30)}`)).toEqual(["too_many_marks"])
  })

  // Ordering a run of marks takes steps by the square of its length.
  it("costs normalisation steps by its size, not by the square of its size", () => {
    const normalize = vi.spyOn(String.prototype, "normalize")
    const steps = (value: string) => {
      normalize.mockClear()
      codesOf(text({ max: 1_000_000 }), value)
      const given = normalize.mock.contexts.map(String)
      return given.flatMap((one) => one.match(/\p{M}+/gu) ?? []).reduce((sum, { length }) => sum + length ** 2, 0)
    }
    for (const length of [10, 30, 31, 100, 1_000]) {
      const [small = 0, large = 0] = [1, 8].map((times) => steps(runs(length * times, 100)))
      expect(large, `${length} marks in a row`).toBeLessThanOrEqual(8 * Math.max(small, 31 * length * 100))
      expect(steps(runs(length, 800))).toBe(8 * steps(runs(length, 100)))
    }
  })

  it("is not normalised when it is longer than any text whose normal form is short enough", () => {
    const normalize = vi.spyOn(String.prototype, "normalize")
    expect(codesOf(Name, "a\u{1D165}".repeat(600))).toEqual(["too_long"])
    expect(normalize).not.toHaveBeenCalled()
    // The normal form has a quarter of the characters.
    expect(codesOf(Name, "\u03b1\u0313\u0300\u0345".repeat(200))).toEqual([])
  })
})

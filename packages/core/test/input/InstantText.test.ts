import { instantText } from "@solar-sites/core"
import { describe, expect, it } from "vitest"

describe("the text of an instant", () => {
  it("is what Date writes, on both sides of midnight, of leap days, of years and of 1970", () => {
    const turns = ["2024-02-29", "2026-01-01", "2026-12-31", "1970-01-01", "1969-12-31", "0001-01-01", "9999-12-31"]
    for (const turn of [...turns.map((date) => Date.parse(date)), 8.64e15 - 172_800_000, -8.64e15 + 172_800_000]) {
      for (const distance of [-86_400_001, -1, 0, 1, 999, 59_999, 3_599_999, 43_200_500, 86_399_999, 86_400_000]) {
        expect(instantText(turn + distance)).toBe(new Date(turn + distance).toISOString())
      }
    }
    for (let milliseconds = 1_767_225_600_000; milliseconds < 1_767_225_600_000 + 40e9; milliseconds += 7_654_321) {
      expect(instantText(milliseconds)).toBe(new Date(milliseconds).toISOString())
    }
  })
})

import { assert, describe, it } from "@effect/vitest"
import { CalendarDate } from "@solar-sites/core"
import { Schema } from "effect"

const isDay = Schema.is(CalendarDate)

describe("a calendar date", () => {
  it("is a day of the Gregorian calendar", () => {
    for (const day of [
      "0001-01-01",
      "1582-10-10",
      "2000-02-29",
      "2024-02-29",
      "2024-01-31",
      "2026-12-31",
      "9999-12-31"
    ]) {
      assert.isTrue(isDay(day), day)
    }
  })

  it("is no day that a month does not have", () => {
    for (const day of [
      "1900-02-29",
      "2025-02-29",
      "2026-02-30",
      "2026-04-31",
      "2026-00-10",
      "2026-13-01",
      "2026-01-00"
    ]) {
      assert.isFalse(isDay(day), day)
    }
  })

  it("has one form", () => {
    const others = ["", "0000-01-01", "2026-1-1", "20260101", "2026-01-01T00:00:00Z", " 2026-01-01", "2026-01-01\n"]
    for (const text of [...others, "+002026-01-01", "10000-01-01", "01.02.2026", "today", "infinity", "٢٠٢٦-٠١-٠١"]) {
      assert.isFalse(isDay(text), text)
    }
  })
})

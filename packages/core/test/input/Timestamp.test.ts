import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { Timestamp } from "../../src/input/Timestamp.ts"

const isTimestamp = Schema.decodeUnknownOption(Timestamp)

describe("a timestamp", () => {
  it.each(["2026-01-31T09:30:00Z", "2024-02-29t23:59:59.123456789z", "2026-06-30T23:59:59+14:00"])("is %s", (text) => {
    expect(isTimestamp(text)._tag).toBe("Some")
  })

  it.each([
    "2026-01-01T24:00:00Z",
    "2016-12-31T23:59:60Z",
    "2026-01-01T00:00:00+24:00",
    "2026-01-01 00:00:00Z",
    "2026-01-01T00:00:00",
    "2026-02-30T00:00:00Z",
    "0000-01-01T00:00:00Z"
  ])("is not %s", (text) => {
    expect(isTimestamp(text)._tag).toBe("None")
  })
})

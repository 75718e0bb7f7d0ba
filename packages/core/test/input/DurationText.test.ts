import { DurationText, PositiveDurationText } from "@solar-sites/core/options"
import { Duration, Exit, Schema } from "effect"
import { describe, expect, it } from "vitest"

const decode = Schema.decodeUnknownExit(DurationText)

describe("DurationText", () => {
  it.each([
    ["90d", Duration.days(90)],
    ["12h", Duration.hours(12)],
    ["30m", Duration.minutes(30)],
    ["1s", Duration.seconds(1)],
    ["0s", Duration.zero],
    ["250ms", Duration.millis(250)],
    ["36500d", Duration.days(36_500)]
  ])("reads %s", (text, duration) => {
    expect(decode(text)).toEqual(Exit.succeed(duration))
  })

  it.each(["", "1", "d", "-1d", "1.5h", "1 d", "1D", "1w", "1d2h", "Infinity", "36501d", "999999999999d"])(
    "refuses '%s'",
    (text) => {
      expect(Exit.isFailure(decode(text))).toBe(true)
    }
  )

  it("refuses no time at all where there must be some", () => {
    expect(Exit.isFailure(Schema.decodeUnknownExit(PositiveDurationText)("0d"))).toBe(true)
  })
})

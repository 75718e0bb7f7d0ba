import { CalendarDate, daysAfter } from "@solar-sites/core"
import { describe, expect, it } from "vitest"
import { makeDigestClock, nextAttempt } from "../../src/digest/DigestSchedule.ts"

const instantOf = (date: string, hour: number, timeZone: string): string =>
  new Date(makeDigestClock({ hour, timeZone }).dueInstant(CalendarDate.make(date))).toISOString()

const berlin = makeDigestClock({ hour: 6, timeZone: "Europe/Berlin" })

/** Days that are due, daily and weekly. */
const due = (instant: string) => {
  const { daily, weekly } = berlin.dueDays(Date.parse(instant))
  return [daily?.day ?? null, weekly?.day ?? null]
}

describe("the due hour", () => {
  it.for([
    ["2026-11-28", 6, "UTC", "2026-11-28T06:00:00.000Z"],
    ["2026-11-28", 6, "Europe/Berlin", "2026-11-28T05:00:00.000Z"],
    ["2026-07-01", 6, "Europe/Berlin", "2026-07-01T04:00:00.000Z"],
    ["2026-11-30", 0, "Pacific/Kiritimati", "2026-11-29T10:00:00.000Z"],
    ["2026-11-30", 23, "Pacific/Pago_Pago", "2026-12-01T10:00:00.000Z"],
    ["2026-11-30", 6, "Asia/Kathmandu", "2026-11-30T00:15:00.000Z"]
  ] as const)("of %s at %i in %s is %s", ([date, hour, zone, instant]) => {
    expect(instantOf(date, hour, zone)).toBe(instant)
  })

  it.for([
    ["2026-03-29", 2, "Europe/Berlin", "2026-03-29T01:00:00.000Z"],
    ["2026-03-29", 1, "Europe/Berlin", "2026-03-29T00:00:00.000Z"],
    ["2026-03-29", 3, "Europe/Berlin", "2026-03-29T01:00:00.000Z"],
    ["2026-03-08", 2, "America/New_York", "2026-03-08T07:00:00.000Z"],
    // At midnight, so that the day begins at 1.
    ["2026-04-24", 0, "Africa/Cairo", "2026-04-23T22:00:00.000Z"],
    // The last hour of the day, so that the next day begins.
    ["2025-03-29", 23, "America/Nuuk", "2025-03-30T01:00:00.000Z"],
    // By half an hour, so that the hour begins at 2:30.
    ["2026-10-04", 2, "Australia/Lord_Howe", "2026-10-03T15:30:00.000Z"],
    // At one minute past midnight, so that the hour is skipped in part.
    ["2011-03-13", 1, "America/St_Johns", "2011-03-13T03:31:00.000Z"]
  ] as const)("of %s at %i in %s, near an hour that summer time skips, is %s", ([date, hour, zone, instant]) => {
    expect(instantOf(date, hour, zone)).toBe(instant)
  })

  it.for([
    ["2026-10-25", 2, "Europe/Berlin", "2026-10-25T00:00:00.000Z"],
    ["2026-10-25", 3, "Europe/Berlin", "2026-10-25T02:00:00.000Z"],
    ["2026-11-01", 1, "America/New_York", "2026-11-01T05:00:00.000Z"],
    // Midnight comes twice: 24:00 is 23:00 again.
    ["2026-10-29", 23, "Africa/Cairo", "2026-10-29T20:00:00.000Z"]
  ] as const)("of %s at %i in %s, near an hour that is doubled, is %s", ([date, hour, zone, instant]) => {
    expect(instantOf(date, hour, zone)).toBe(instant)
  })

  it("comes once for each Saturday of two years in zones with unusual changes", () => {
    const zones = [
      ...["Europe/Berlin", "America/Havana", "Africa/Cairo", "Asia/Beirut", "America/Santiago", "America/Nuuk"],
      ...["Australia/Lord_Howe", "Asia/Gaza", "Africa/Casablanca", "Antarctica/Troll", "Pacific/Apia"]
    ]
    for (const timeZone of zones) {
      for (const hour of [0, 2, 23]) {
        const { dueDays, dueInstant } = makeDigestClock({ hour, timeZone })
        let last = 0
        for (let date = CalendarDate.make("2025-01-04"); date < "2027-01-01"; date = daysAfter(date, 7)) {
          const at = dueInstant(date)
          expect(at).toBeGreaterThan(last)
          expect([timeZone, dueDays(at).daily]).toEqual([timeZone, { day: date, at }])
          expect(dueDays(at - 1_000).daily?.day).not.toBe(date)
          last = at
        }
      }
    }
  })
})

describe("a digest is due", () => {
  it("daily from the hour until the end of the day, in the zone", () => {
    expect(due("2026-11-28T04:59:59.999Z")).toEqual([null, "2026-11-23"])
    expect(due("2026-11-28T05:00:00.000Z")).toEqual(["2026-11-28", "2026-11-23"])
    expect(due("2026-11-28T22:59:59.999Z")).toEqual(["2026-11-28", "2026-11-23"])
    expect(due("2026-11-28T23:00:00.000Z")).toEqual([null, "2026-11-23"])
  })

  it("weekly from the hour of Monday until Sunday", () => {
    expect(due("2026-11-23T04:59:59.999Z")[1]).toBeNull()
    expect(due("2026-11-23T05:00:00.000Z")[1]).toBe("2026-11-23")
    expect(due("2026-11-29T22:59:59.999Z")[1]).toBe("2026-11-23")
    expect(due("2026-11-29T23:00:00.000Z")[1]).toBeNull()
    expect(due("2026-11-30T05:00:00.000Z")[1]).toBe("2026-11-30")
  })
})

describe("a failed digest", () => {
  it("is tried again after a minute, then more and more rarely, for six hours", () => {
    const waits: Array<number> = []
    let now: number | null = 1_000
    while (now !== null) {
      const next: number | null = nextAttempt(1_000, now)
      if (next !== null) waits.push((next - now) / 60_000)
      now = next
    }
    expect(waits.slice(0, 7)).toEqual([1, 1, 2, 4, 8, 16, 30])
    const total = waits.reduce((sum, wait) => sum + wait)
    expect([total > 330, total <= 360]).toEqual([true, true])
  })
})

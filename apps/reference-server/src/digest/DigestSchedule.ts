/** When a digest is due: pure functions of an instant, an hour and a time zone. */
import { CalendarDate, daysAfter } from "@solar-sites/core"
import type { DigestChoice } from "./DigestChoice.ts"

/** The hour of the day (0–23) in a time zone. */
export interface DigestSchedule {
  readonly hour: number
  /** Name in the IANA database. */
  readonly timeZone: string
}

/** A day on which digests are due, and the instant in milliseconds from which on they are. */
interface DueDay {
  readonly day: CalendarDate
  readonly at: number
}

/** Null while nothing is due yet, on the morning of a day. */
export type DueDays = Readonly<Record<Exclude<DigestChoice, "none">, DueDay | null>>

const minute = 60_000
const day = 24 * 60 * minute

/** Makes the local time of an instant, as milliseconds of the same time in UTC. */
const localClock = (timeZone: string): ((instant: number) => number) => {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone,
    calendar: "gregory",
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric"
  })
  return (instant) => {
    const parts = new Map(format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]))
    const of = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0
    return Date.UTC(of("year"), of("month") - 1, of("day"), of("hour"), of("minute"), of("second"))
  }
}

/** The Monday of the week of a day. */
const mondayOf = (date: CalendarDate): CalendarDate => daysAfter(date, -((new Date(date).getUTCDay() + 6) % 7))

export const makeDigestClock = ({ hour, timeZone }: DigestSchedule) => {
  const local = localClock(timeZone)

  /**
   * The first instant at which the clock shows the hour of the day or, where summer time skips it, the first one
   * after it.
   */
  const dueInstant = (date: CalendarDate): number => {
    const wanted = Date.parse(date) + hour * 60 * minute
    // No zone is a day away from UTC, and none changes its clock twice in these two days.
    const offsets = [wanted - day, wanted + day].map((instant) => local(instant) - instant)
    const candidates = offsets.map((offset) => wanted - offset)
    const shown = candidates.filter((instant) => local(instant) === wanted)
    if (shown.length > 0) return Math.min(...shown)
    // The hour is skipped: the clock changes between the two candidates.
    let before = Math.min(...candidates) - minute
    let after = Math.max(...candidates) + minute
    while (after - before > 1_000) {
      const middle = Math.floor((before + after) / 2_000) * 1_000
      if (local(middle) < wanted) before = middle
      else after = middle
    }
    return after
  }

  const dueOn = (date: CalendarDate, now: number): DueDay | null => {
    const at = dueInstant(date)
    return at <= now ? { day: date, at } : null
  }

  const dateAt = (instant: number) => CalendarDate.make(new Date(local(instant)).toISOString().slice(0, 10))

  return {
    dueInstant,
    /** The days of which digests are sent now: a daily one until the end of its day, a weekly one until Sunday. */
    dueDays: (now: number): DueDays => {
      const today = dateAt(now)
      // Where the last hour of yesterday was skipped, its first instant after it is one of today.
      const yesterday = dueOn(daysAfter(today, -1), now)
      const late = yesterday !== null && dateAt(yesterday.at) === today ? yesterday : null
      return { daily: dueOn(today, now) ?? late, weekly: dueOn(mondayOf(today), now) }
    }
  }
}

/** Time in milliseconds after which a failed digest is not sent any more. */
export const retryPeriod = 6 * 60 * minute

const [shortestWait, longestWait] = [minute, 30 * minute]

/** The next attempt after a failed one, in milliseconds; null when the digest is given up. */
export const nextAttempt = (startedAt: number, now: number): number | null => {
  const next = now + Math.min(Math.max(now - startedAt, shortestWait), longestWait)
  return next <= startedAt + retryPeriod ? next : null
}

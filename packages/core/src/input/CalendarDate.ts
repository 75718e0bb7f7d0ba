/**
 * A day of the Gregorian calendar, without a time or a time zone.
 */
import { DateTime, Schema } from "effect"

const daysOfMonth = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

const isLeapYear = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)

const isRealDay = (text: string): boolean => {
  const [, year, month, day] = (/^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? []).map(Number)
  if (year === undefined || month === undefined || day === undefined) return false
  const days = month === 2 && isLeapYear(year) ? 29 : (daysOfMonth[month - 1] ?? 0)
  return year >= 1 && day >= 1 && day <= days
}

/** Pattern for JSON Schema, since its format `date` is based on ISO 8601, which has a year 0. */
export const dayPattern = "(?:[1-9]\\d{3}|0[1-9]\\d{2}|00[1-9]\\d|000[1-9])-\\d{2}-\\d{2}"

/** A day as `YYYY-MM-DD`, from year 1 to 9999. Days in this form sort as text. */
export const CalendarDate = Schema.String.check(
  Schema.makeFilter(isRealDay, {
    message: "must be a day as YYYY-MM-DD",
    faultCode: "invalid_date",
    representation: { id: "@solar-sites/core/calendarDate", payload: null },
    toJsonSchema: () => ({ format: "date", pattern: `^${dayPattern}$` })
  })
).pipe(Schema.brand("CalendarDate"))
export type CalendarDate = typeof CalendarDate.Type

/** The day in UTC. */
export const dayOf = (instant: DateTime.Utc): CalendarDate => CalendarDate.make(DateTime.formatIsoDateUtc(instant))

/** The day so many days later. */
export const daysAfter = (day: CalendarDate, days: number): CalendarDate =>
  dayOf(DateTime.add(DateTime.makeUnsafe(day), { days }))

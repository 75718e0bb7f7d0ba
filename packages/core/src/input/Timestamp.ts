/**
 * Instants in queries.
 */
import { Schema } from "effect"
import { CalendarDate, dayPattern } from "./CalendarDate.ts"

// Neither a leap second nor the hour 24, which `Date.parse` takes for the next day.
const hour = "(?:[01]\\d|2[0-3])"
const rfc3339 = `^${dayPattern}[Tt]${hour}:[0-5]\\d:[0-5]\\d(?:\\.\\d+)?(?:[Zz]|[+-]${hour}:[0-5]\\d)$`
const expression = new RegExp(rfc3339)

const isDay = Schema.is(CalendarDate)

// `Date.parse` takes the 30th of February for the 2nd of March.
const isInstant = (given: string): boolean =>
  expression.test(given) && isDay(given.slice(0, 10)) && !Number.isNaN(Date.parse(given))

/** An instant in RFC 3339 with any offset. Digits after milliseconds are dropped. */
export const Timestamp = Schema.String.check(
  Schema.makeFilter(isInstant, {
    message: "must be a timestamp such as 2026-01-31T09:30:00Z",
    faultCode: "invalid_timestamp",
    representation: { id: "@solar-sites/core/timestamp", payload: null },
    toJsonSchema: () => ({ format: "date-time", pattern: rfc3339 })
  })
).pipe(Schema.decodeTo(Schema.DateTimeUtcFromString))

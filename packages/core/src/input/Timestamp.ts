/**
 * Instants in queries.
 */
import { Schema } from "effect"
import { CalendarDate } from "./CalendarDate.ts"

const rfc3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/i

const isDay = Schema.is(CalendarDate)

// `Date.parse` takes the 30th of February for the 2nd of March.
const isInstant = (given: string): boolean =>
  rfc3339.test(given) && isDay(given.slice(0, 10)) && !Number.isNaN(Date.parse(given))

/**
 * An instant in RFC 3339 with any offset. Digits after milliseconds are dropped.
 *
 * @category models
 * @since 0.1.0
 */
export const Timestamp = Schema.String.check(
  Schema.makeFilter(isInstant, {
    message: "must be a timestamp such as 2026-01-31T09:30:00Z",
    faultCode: "invalid_timestamp",
    representation: { id: "@solar-sites/core/timestamp", payload: null },
    toJsonSchema: () => ({ format: "date-time" })
  })
).pipe(Schema.decodeTo(Schema.DateTimeUtcFromString))

/**
 * Instants in queries.
 */
import { Schema } from "effect"

const rfc3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/i

/**
 * An instant in RFC 3339 with any offset. Digits after milliseconds are dropped.
 *
 * @category models
 * @since 0.1.0
 */
export const Timestamp = Schema.String.check(
  Schema.makeFilter((given: string) => rfc3339.test(given) && !Number.isNaN(Date.parse(given)), {
    message: "must be a timestamp such as 2026-01-31T09:30:00Z",
    faultCode: "invalid_timestamp",
    representation: { id: "@solar-sites/core/timestamp", payload: null },
    toJsonSchema: () => ({ format: "date-time" })
  })
).pipe(Schema.decodeTo(Schema.DateTimeUtcFromString))

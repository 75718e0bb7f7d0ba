/**
 * Durations in settings and on the command line: `90d`, `12h`, `30m`, `1s`.
 */
import { Duration, Schema, SchemaTransformation } from "effect"

const millisecondsPerUnit: ReadonlyMap<string, number> = new Map([
  ["ms", 1],
  ["s", 1_000],
  ["m", 60_000],
  ["h", 3_600_000],
  ["d", 86_400_000]
])

// Longer than any key lives, and short enough that every resulting instant is a valid date.
const longest = Duration.days(36_500)

const read = (text: string): Duration.Duration | undefined => {
  const [, amount = "", unit = ""] = /^(\d{1,12})(ms|s|m|h|d)$/.exec(text) ?? []
  const milliseconds = millisecondsPerUnit.get(unit)
  return milliseconds === undefined ? undefined : Duration.millis(Number(amount) * milliseconds)
}

/** A whole number and its unit, from 0 to 36500 days. */
export const DurationText = Schema.String.check(
  Schema.makeFilter((text: string) => read(text) !== undefined, {
    message: "must be a whole number with one of the units d, h, m, s, such as 90d, 12h, 30m or 1s"
  })
).pipe(
  Schema.decodeTo(
    Schema.Duration.check(
      Schema.makeFilter((duration: Duration.Duration) => Duration.isLessThanOrEqualTo(duration, longest), {
        message: "must be at most 36500d"
      })
    ),
    SchemaTransformation.transform({
      decode: (text: string) => read(text) ?? Duration.zero,
      encode: (duration: Duration.Duration) => `${Duration.toMillis(duration)}ms`
    })
  )
)

/** `DurationText` above 0. */
export const PositiveDurationText = DurationText.check(
  Schema.makeFilter((duration: Duration.Duration) => Duration.isGreaterThan(duration, Duration.zero), {
    message: "must be longer than nothing"
  })
)

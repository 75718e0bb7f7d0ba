/**
 * Instants, numbers and versions as parameters and as SQL.
 */
import type { ExpectedVersions } from "@solar-sites/core"
import { DateTime } from "effect"

/** SQL of the instant given in milliseconds by a parameter such as `$4`, or by a `float8` column. */
export const instant = (milliseconds: string): string => `to_timestamp(${milliseconds}::float8 / 1000)`

/** SQL of an instant in seconds since 1970, for `fromSeconds`. */
export const seconds = (instant: string): string => `date_part('epoch', ${instant})`

/** An instant as a parameter for `instant`. */
export const toMilliseconds = (value: DateTime.Utc): number => value.epochMilliseconds

/** An instant from `seconds`, which are exact to the millisecond. */
export const fromSeconds = (value: number): DateTime.Utc => DateTime.makeUnsafe(Math.round(value * 1_000))

/** The number as text. Postgres reads it back as the same number, minus zero included. */
export const numberText = (value: number): string => (Object.is(value, -0) ? "-0" : String(value))

// The column type `integer` ends here.
const greatestVersion = 2 ** 31 - 1

/** The versions as a parameter for `isExpected`. Versions above the limit of the column are left out. */
export const versionsParameter = (versions: ExpectedVersions): string | null =>
  versions === undefined ? null : `{${versions.filter((version) => version <= greatestVersion).join(",")}}`

/** SQL condition: the version is one of those in the parameter, or the parameter is null. */
export const isExpected = (version: string, parameter: string): string =>
  `(${parameter}::text is null or ${version} = any (${parameter}::text::int[]))`

/** Text of an array of Postgres. */
export const arrayText = (values: ReadonlyArray<string>): string =>
  `{${values.map((value) => `"${value.replace(/["\\]/g, "\\$&")}"`).join(",")}}`

/**
 * SQL of the ids in the text of an array. The query makes the server read them once, and not for every compared row: the
 * conversion to an array is not immutable.
 */
export const uuidsIn = (text: string): string => `(select ${text}::uuid[])::uuid[]`

/** Sorts before all ids. */
export const lowestUuid = "00000000-0000-0000-0000-000000000000"

/**
 * The wire form of models, and its text. The models print it by themselves, but
 * what a page costs is largely the two instants of each of its items, and these
 * are written here ten times as fast as by `Date`.
 */
import { DateTime } from "effect"

const day = 86_400_000
const digits = (count: number) => Array.from({ length: 10 ** count }, (_, value) => String(value).padStart(count, "0"))
const [two, three] = [digits(2), digits(3)]

// Most instants of a list lie on a few days: the last one is kept as text.
let knownDay = Number.NaN
let knownDate = ""

/** RFC 3339 in UTC with milliseconds, as `Date` writes it. */
export const instantText = (milliseconds: number): string => {
  const days = Math.floor(milliseconds / day)
  if (days !== knownDay) {
    const text = new Date(days * day).toISOString()
    knownDate = text.slice(0, text.indexOf("T") + 1)
    knownDay = days
  }
  const rest = milliseconds - days * day
  const hours = two[Math.floor(rest / 3_600_000)]
  const minutes = two[Math.floor(rest / 60_000) % 60]
  return `${knownDate}${hours}:${minutes}:${two[Math.floor(rest / 1_000) % 60]}.${three[rest % 1_000]}Z`
}

interface Timed {
  readonly createdAt: DateTime.Utc
  readonly updatedAt: DateTime.Utc
}

const isTimed = (value: unknown): value is Timed =>
  typeof value === "object" &&
  value !== null &&
  "createdAt" in value &&
  "updatedAt" in value &&
  DateTime.isDateTime(value.createdAt) &&
  DateTime.isDateTime(value.updatedAt)

/** A value with its own instants as text; what it holds is left as it is. */
const wire = (value: unknown): unknown => {
  if (!isTimed(value)) return value
  const createdAt = instantText(value.createdAt.epochMilliseconds)
  const updatedAt = value.updatedAt === value.createdAt ? createdAt : instantText(value.updatedAt.epochMilliseconds)
  return { ...value, createdAt, updatedAt }
}

/** The JSON text of a model, of a list of models (`{ data: [ … ] }`), or of anything else. */
export const jsonText = (value: unknown): string => {
  const list = typeof value === "object" && value !== null && "data" in value && Array.isArray(value.data)
  return JSON.stringify(list ? { ...value, data: (value.data as ReadonlyArray<unknown>).map(wire) } : wire(value))
}

/** The texts of models, with commas between them. */
export const jsonItems = (values: ReadonlyArray<unknown>): string => JSON.stringify(values.map(wire)).slice(1, -1)

/**
 * How numbers, dates and sizes are written, in the notation of the reader.
 */
import { bytesOf, locale as textLocale } from "./en/language.ts"
import { currentLocale, withLatinDigits } from "./locale.ts"
import { numberReadings } from "./numbers.ts"

/** Made when it is first used: each takes milliseconds. */
const once = <Format>(make: () => Format): (() => Format) => {
  let made: Format | undefined
  return () => {
    made ??= make()
    return made
  }
}

export interface Formats {
  /** Such as `20 Nov 2026`, of an RFC 3339 text. */
  readonly formatDate: (instant: string) => string
  /** Such as `20 Nov 2026, 14:05`, in the reader's time zone. */
  readonly formatInstant: (instant: string) => string
  /** Such as `20 Nov 2026`, of a calendar date such as `2026-11-20`, the same in every time zone. */
  readonly formatDay: (date: string) => string
  /** Such as `14:05`, in the reader's time zone. */
  readonly formatTime: (instant: string) => string
  /** With at most three decimals. */
  readonly formatNumber: (value: number) => string
  /** All digits. */
  readonly formatExact: (value: number) => string
  /**
   * All digits, for a field to edit: `readNumber` gives the same value. A zero is added where the
   * text had two readings, unless one of them is larger than `magnitude`.
   */
  readonly editableNumber: (value: number, magnitude?: number) => string
  /** Such as `12K`, where there is little room. */
  readonly formatCompact: (value: number) => string
  /** Such as `4.2 MiB`, the units in which the server's limits are given. */
  readonly formatBytes: (bytes: number) => string
}

const units = ["KiB", "MiB", "GiB"] as const

export const makeFormats = (chosen: string): Formats => {
  const locale = once(() => withLatinDigits(chosen))
  const date = once(() => new Intl.DateTimeFormat(locale(), { dateStyle: "medium" }))
  const dateAndTime = once(() => new Intl.DateTimeFormat(locale(), { dateStyle: "medium", timeStyle: "short" }))
  const day = once(() => new Intl.DateTimeFormat(locale(), { dateStyle: "medium", timeZone: "UTC" }))
  const time = once(() => new Intl.DateTimeFormat(locale(), { timeStyle: "short" }))
  const number = once(() => new Intl.NumberFormat(locale(), { maximumFractionDigits: 3 }))
  const grouped = once(() => new Intl.NumberFormat(locale(), { maximumFractionDigits: 100 }))
  const exact = once(() => new Intl.NumberFormat(locale(), { maximumFractionDigits: 100, useGrouping: false }))
  const compact = once(() => new Intl.NumberFormat(locale(), { notation: "compact" }))
  const size = once(() => new Intl.NumberFormat(locale(), { maximumFractionDigits: 1 }))
  return {
    formatDate: (instant) => date().format(new Date(instant)),
    formatInstant: (instant) => dateAndTime().format(new Date(instant)),
    formatDay: (date) => day().format(new Date(date)),
    formatTime: (instant) => time().format(new Date(instant)),
    formatNumber: (value) => number().format(value),
    formatExact: (value) => grouped().format(value),
    editableNumber: (value, magnitude) => {
      const text = exact().format(value)
      return numberReadings(text, magnitude).length > 1 ? `${text}0` : text
    },
    formatCompact: (value) => compact().format(value),
    formatBytes: (bytes) => {
      if (bytes < 1_024) return `${size().format(bytes)} ${bytesOf(bytes)}`
      const step = Math.min(Math.floor(Math.log2(bytes) / 10), units.length)
      return `${size().format(bytes / 1_024 ** step)} ${units[step - 1]}`
    }
  }
}

export const {
  editableNumber,
  formatBytes,
  formatCompact,
  formatDate,
  formatDay,
  formatExact,
  formatInstant,
  formatNumber,
  formatTime
} = makeFormats(currentLocale())

const untilUnits = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000]
] as const
const until = once(() => new Intl.RelativeTimeFormat(textLocale))

/** Such as `in 2 days`, rounded to a whole unit. A unit counts from a minute less on. */
export const formatUntil = (milliseconds: number): string => {
  const [unit, size] = untilUnits.find(([, size]) => milliseconds >= size - 60_000) ?? untilUnits[2]
  return until().format(Math.max(1, Math.round(milliseconds / size)), unit)
}

/**
 * The server's messages follow the name of what they are about; alone they begin with a capital.
 */
export const asSentence = (detail: string): string => detail.charAt(0).toUpperCase() + detail.slice(1)

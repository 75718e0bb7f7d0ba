/**
 * How numbers, dates and sizes are written, in the language of the texts.
 */
const locale = "en-GB"

/** Made when it is first used: each takes milliseconds. */
const once = <Format>(make: () => Format): (() => Format) => {
  let made: Format | undefined
  return () => {
    made ??= make()
    return made
  }
}

const date = once(() => new Intl.DateTimeFormat(locale, { dateStyle: "medium" }))
const dateAndTime = once(() => new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" }))
const time = once(() => new Intl.DateTimeFormat(locale, { timeStyle: "short" }))
const number = once(() => new Intl.NumberFormat(locale, { maximumFractionDigits: 3 }))

/** Such as `20 Nov 2026`, of an RFC 3339 text. */
export const formatDate = (instant: string): string => date().format(new Date(instant))

/** Such as `20 Nov 2026, 14:05`, in the reader's time zone. */
export const formatInstant = (instant: string): string => dateAndTime().format(new Date(instant))

const day = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone: "UTC" })

/** Such as `20 Nov 2026`, of a calendar date such as `2026-11-20`, the same in every time zone. */
export const formatDay = (date: string): string => day.format(new Date(date))

const untilUnits = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000]
] as const
const until = new Intl.RelativeTimeFormat(locale)

/** Such as `in 2 days`, rounded to a whole unit. A unit counts from a minute less on. */
export const formatUntil = (milliseconds: number): string => {
  const [unit, size] = untilUnits.find(([, size]) => milliseconds >= size - 60_000) ?? untilUnits[2]
  return until.format(Math.max(1, Math.round(milliseconds / size)), unit)
}

/** Such as `14:05`, in the reader's time zone. */
export const formatTime = (instant: string): string => time().format(new Date(instant))

export const formatNumber = (value: number): string => number().format(value)

const exact = once(() => new Intl.NumberFormat(locale, { maximumFractionDigits: 100, useGrouping: false }))

/** All digits, for a field to edit: `readNumber` gives the same value. */
export const editableNumber = (value: number): string => exact().format(value)

// Commas group thousands and the point comes before decimals, as in the locale above.
const numberText = /^-?(\d+|\d{1,3}(,\d{3})+)(\.\d+)?$/

/** The value of a number in the notation of `formatNumber`; NaN for all other text. */
export const readNumber = (text: string): number =>
  numberText.test(text.trim()) ? Number(text.replaceAll(",", "")) : Number.NaN

const compact = once(() => new Intl.NumberFormat(locale, { notation: "compact" }))

/** Such as `12K`, where there is little room. */
export const formatCompact = (value: number): string => compact().format(value)

const units = ["KiB", "MiB", "GiB"] as const
const size = once(() => new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }))

/** Such as `4.2 MiB`, the units in which the server's limits are given. */
export const formatBytes = (bytes: number): string => {
  if (bytes < 1_024) return `${size().format(bytes)} ${bytes === 1 ? "byte" : "bytes"}`
  const step = Math.min(Math.floor(Math.log2(bytes) / 10), units.length)
  return `${size().format(bytes / 1_024 ** step)} ${units[step - 1]}`
}

/**
 * The server's messages follow the name of what they are about; alone they begin with a capital.
 */
export const asSentence = (detail: string): string => detail.charAt(0).toUpperCase() + detail.slice(1)

/**
 * How numbers, dates and sizes are written, in the language of the texts.
 */
const locale = "en-GB"

const date = new Intl.DateTimeFormat(locale, { dateStyle: "medium" })
const dateAndTime = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" })
const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 3 })

/** Such as `20 Nov 2026`, of an RFC 3339 text. */
export const formatDate = (instant: string): string => date.format(new Date(instant))

/** Such as `20 Nov 2026, 14:05`, in the reader's time zone. */
export const formatInstant = (instant: string): string => dateAndTime.format(new Date(instant))

export const formatNumber = (value: number): string => number.format(value)

const compact = new Intl.NumberFormat(locale, { notation: "compact" })

/** Such as `12K`, where there is little room. */
export const formatCompact = (value: number): string => compact.format(value)

const units = ["byte", "kilobyte", "megabyte", "gigabyte"] as const

/** Such as `4.2 MB`. */
export const formatBytes = (bytes: number): string => {
  const step = bytes < 1_000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1)
  const unit = units[step] ?? "byte"
  const unitDisplay = step === 0 ? "long" : "short"
  const style = { style: "unit", unit, unitDisplay, maximumFractionDigits: step === 0 ? 0 : 1 } as const
  return new Intl.NumberFormat(locale, style).format(bytes / 1_000 ** step)
}

/** The server's messages follow the name of what they are about; alone they begin with a capital. */
export const asSentence = (detail: string): string => detail.charAt(0).toUpperCase() + detail.slice(1)

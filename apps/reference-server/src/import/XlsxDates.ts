/**
 * Dates of spreadsheets: numbers of days that a format shows as dates.
 */

const dayMilliseconds = 86_400_000

// Built-in formats of dates and times (ECMA-376, part 1, 18.8.30).
const isBuiltIn = (id: number): boolean => (id >= 14 && id <= 22) || (id >= 45 && id <= 47)

/** `code` is the text of a format that is not built in. Quoted and bracketed parts show no date. */
export const isDateFormat = (id: number, code: string | undefined): boolean =>
  code === undefined ? isBuiltIn(id) : /[dmyhs]/i.test(code.replace(/"[^"]*"|\[[^\]]*\]|\\./g, ""))

/** `2026-01-31`, with a time of day `2026-01-31T09:30:00`. */
export const dateText = (days: number, is1904: boolean): string => {
  // Spreadsheets count from 1900 with a 29 February 1900, which there was not.
  const epoch = is1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, days < 60 ? 31 : 30)
  const date = new Date(epoch + Math.round(days * dayMilliseconds))
  if (Number.isNaN(date.getTime())) return String(days)
  const text = date.toISOString()
  return Number.isInteger(days) ? text.slice(0, 10) : text.slice(0, 19)
}

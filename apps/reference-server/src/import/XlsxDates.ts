/**
 * Dates of spreadsheets: numbers of days that a format shows as dates.
 */

const dayMilliseconds = 86_400_000

// Built-in formats of dates and times (ECMA-376, part 1, 18.8.30).
const isBuiltIn = (id: number): boolean => (id >= 14 && id <= 22) || (id >= 45 && id <= 47)

/** `isDate`: what the code of a format that is not built in shows. */
export const isDateFormat = (id: number, isDate: boolean | undefined): boolean => isDate ?? isBuiltIn(id)

/** True of the code of a format that shows dates. Quoted and bracketed parts show no date. */
export const isDateCode = (code: string): boolean => {
  let end = ""
  for (let index = 0; index < code.length; index++) {
    const character = code.charAt(index)
    if (end !== "") end = character === end ? "" : end
    else if (character === "\\") index += 1
    else if (character === '"') end = '"'
    else if (character === "[") end = "]"
    else if (/[dmyhs]/i.test(character)) return true
  }
  return false
}

/** `2026-01-31`, with a time of day `2026-01-31T09:30:00`. */
export const dateText = (days: number, is1904: boolean): string => {
  // Spreadsheets count from 1900 with a 29 February 1900, which there was not.
  const epoch = is1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, days < 60 ? 31 : 30)
  const date = new Date(epoch + Math.round(days * dayMilliseconds))
  if (Number.isNaN(date.getTime())) return String(days)
  const text = date.toISOString()
  return Number.isInteger(days) ? text.slice(0, 10) : text.slice(0, 19)
}

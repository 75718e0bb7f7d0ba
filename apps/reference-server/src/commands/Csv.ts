/** Lines of CSV (RFC 4180), safe to open in a spreadsheet. */

// A spreadsheet takes a text that begins so for a formula.
const formula = /^[=+\-@\t\r]/

const cell = (value: string | null): string => {
  if (value === null) return ""
  const text = formula.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A line without its end; null is an empty cell. */
export const csvLine = (values: ReadonlyArray<string | null>): string => values.map(cell).join(",")

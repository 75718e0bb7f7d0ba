/**
 * Cells of CSV (RFC 4180): safe to open in a spreadsheet, and read back without a change.
 */

// A spreadsheet takes a text that begins so for a formula. Apostrophes in front of such a text get
// one more, so that a reader can tell the text's own from the added one.
const guarded = /^'*[=+\-@\t\r]/

const textCell = (value: string): string => {
  if (value === "") return '""'
  const text = guarded.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/**
 * A line without its end. Null is an empty cell, the empty text is `""`. A text that a spreadsheet
 * would compute gets an apostrophe in front.
 */
export const csvLine = (values: ReadonlyArray<string | number | boolean | null>): string =>
  values.map((value) => (typeof value === "string" ? textCell(value) : (value ?? ""))).join(",")

/** The text of a cell that `csvLine` has written, without the apostrophe that it may have added. */
export const csvText = (cell: string): string => (/^'+[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell)

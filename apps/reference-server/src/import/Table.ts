/**
 * A table of a file: rows of cells, in one form for CSV and XLSX.
 */
import { csvLine } from "@solar-sites/core"

/** The path of a file, or its content. */
export type TableSource = string | Buffer

/** An error of a spreadsheet, such as `#N/A`. */
interface CellError {
  readonly error: string
}

/** Null is an empty cell. In CSV, the empty text is a quoted one. */
export type Cell = string | number | boolean | CellError | null

/** `row` is the number that a spreadsheet shows, from 1. */
export interface Row {
  readonly row: number
  readonly cells: ReadonlyArray<Cell>
}

/**
 * `rows` reads the file from the start on each call, without empty rows. `digest` identifies its
 * bytes. `hasCommaDecimals`: a comma in a number is a decimal sign.
 */
export interface Table {
  readonly digest: string
  readonly hasCommaDecimals: boolean
  readonly rows: () => AsyncIterable<Row>
}

/** A fault of a file, as it is reported. `column` is the header in the file; null for the whole row. */
export interface ImportFault {
  readonly row: number
  readonly column: string | null
  readonly code: string
  readonly detail: string
}

/** Faults as CSV. */
export const reportOf = (faults: ReadonlyArray<ImportFault>): string => {
  const lines = faults.map(({ code, column, detail, row }) => csvLine([row, column, code, detail]))
  return ["row,column,code,detail", ...lines, ""].join("\r\n")
}

/** Headers are compared with each other. */
export const maximumColumns = 1_024

/** Ends the reading of a file: its form is broken, in this row or as a whole (row 1). */
export class UnreadableTable extends Error {
  readonly fault: ImportFault

  constructor(code: string, detail: string, row = 1) {
    super(detail)
    this.fault = { row, column: null, code, detail }
  }
}

export const isEmptyRow = (cells: ReadonlyArray<Cell>): boolean => cells.every((cell) => cell === null || cell === "")

export const tooManyColumns = (row: number): UnreadableTable =>
  new UnreadableTable("too_many_columns", `has more than ${maximumColumns} columns`, row)

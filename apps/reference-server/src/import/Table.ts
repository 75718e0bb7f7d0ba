/**
 * A table of a file: rows of cells, in one form for CSV and XLSX.
 */

/** The path of a file, or its content. */
export type TableSource = string | Uint8Array

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

/** A fault of a file, as it is reported. `column` is the header in the file; null for the whole row. */
export interface ImportFault {
  readonly row: number
  readonly column: string | null
  readonly code: string
  readonly detail: string
}

/** Ends the reading of a file: its form is broken, in this row or as a whole (row 1). */
export class UnreadableTable extends Error {
  readonly fault: ImportFault

  constructor(code: string, detail: string, row = 1, column: string | null = null) {
    super(detail)
    this.fault = { row, column, code, detail }
  }
}

const isEmpty = (cell: Cell): boolean => cell === null || cell === ""

/** The number of cells up to the last one with a value. */
export const widthOf = (cells: ReadonlyArray<Cell>): number => cells.findLastIndex((cell) => !isEmpty(cell)) + 1

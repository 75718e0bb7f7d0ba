/**
 * Rows of a file in steps of bounded size. A row beyond the limits ends the reading.
 */
import { type Cell, type Row, UnreadableTable, widthOf } from "./Table.ts"
import { maximumCell, maximumColumns, maximumHeader, maximumRow, maximumRows } from "./TableLimits.ts"

const rowsPerStep = 1_000

const sizeOf = (cell: Cell | undefined): number => {
  if (typeof cell === "string") return cell.length
  return typeof cell === "object" && cell !== null ? cell.error.length : 8
}

const tooLong = (what: string, limit: number, row: number, column: string | null = null) =>
  new UnreadableTable("too_long", `${what} more than ${limit} characters`, row, column)

const rowTooLong = (row: number) => tooLong("has", maximumRow, row)

export const tooLarge = () => new UnreadableTable("too_large", "is too large when it is uncompressed")

/** Steps of at most 1,000 rows, without empty ones. `maximumText` bounds the characters of all cells. */
export async function* inSteps(
  rows: AsyncIterable<Row>,
  maximumText: number
): AsyncGenerator<ReadonlyArray<Row>, undefined> {
  let header: ReadonlyArray<Cell> | undefined
  let text = 0
  let step: Array<Row> = []
  let stepText = 0

  const judgeCell = (cell: Cell | undefined, row: number, index: number): number => {
    const size = sizeOf(cell)
    if (header === undefined) {
      if (size > maximumHeader) throw tooLong(`has a name in column ${index + 1} of`, maximumHeader, row)
    } else if (size > maximumCell) {
      const name = header[index]
      throw tooLong("has", maximumCell, row, typeof name === "string" ? name : null)
    }
    return size
  }

  for await (const { cells, row } of rows) {
    if (row > maximumRows) throw new UnreadableTable("too_many_rows", `is beyond ${maximumRows} rows`, row)
    const width = widthOf(cells)
    if (width === 0) continue
    if (width > maximumColumns) {
      throw new UnreadableTable("too_many_columns", `has more than ${maximumColumns} columns`, row)
    }
    let rowText = 0
    for (let index = 0; index < width; index++) rowText += judgeCell(cells[index], row, index)
    if (rowText > maximumRow) throw rowTooLong(row)
    text += rowText
    if (text > maximumText) throw tooLarge()
    header ??= cells
    stepText += rowText
    step.push({ row, cells: cells.slice(0, maximumColumns) })
    if (step.length < rowsPerStep && stepText < maximumRow) continue
    yield step
    step = []
    stepText = 0
  }
  if (step.length > 0) yield step
  return undefined
}

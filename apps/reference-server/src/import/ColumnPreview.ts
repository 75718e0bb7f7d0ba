/**
 * Columns of a file with the members that they hold or may hold, and their first cells.
 */
import { textOf } from "./CellValues.ts"
import { readHeader } from "./Columns.ts"
import { suggestionFor } from "./MemberNames.ts"
import { type Cell, isEmptyRow, type Row, type Table, UnreadableTable } from "./Table.ts"

const maximumRows = 100
const maximumSamples = 3
const maximumSample = 80

/**
 * `target` as in `Column`; null for an unknown header. `suggestion` is the member that it may mean.
 */
export interface PreviewedColumn {
  readonly index: number
  readonly header: string
  readonly target: string | null
  readonly unit: string | null
  readonly suggestion: string | null
  readonly samples: ReadonlyArray<string>
}

const sampleOf = (cell: Cell): string => {
  const text = typeof cell === "object" && cell !== null ? cell.error : String(cell)
  return text.length > maximumSample ? `${text.slice(0, maximumSample)}…` : text
}

const firstRows = async (table: Table): Promise<ReadonlyArray<Row>> => {
  const rows: Array<Row> = []
  for await (const row of table.rows()) if (rows.push(row) > maximumRows) break
  return rows
}

/** Columns without a name are left out. Throws an `UnreadableTable`. */
export const previewColumns = async (table: Table): Promise<ReadonlyArray<PreviewedColumn>> => {
  const [first, ...rows] = await firstRows(table)
  if (first === undefined) throw new UnreadableTable("empty_file", "has no rows")
  const { columns } = readHeader(first, [], [])
  return first.cells.flatMap((cell, index) => {
    const header = textOf(cell)?.trim() ?? ""
    if (header === "") return []
    const column = columns.find((found) => found.index === index)
    const cells = rows.map(({ cells }) => cells[index] ?? null).filter((sample) => !isEmptyRow([sample]))
    return [
      {
        index,
        header,
        target: column?.target ?? null,
        unit: column?.unit ?? null,
        suggestion: column === undefined ? (suggestionFor(header) ?? null) : null,
        samples: cells.slice(0, maximumSamples).map(sampleOf)
      }
    ]
  })
}

/**
 * A file as CSV with a column that names the faults of its rows, to be corrected and imported again.
 * An import leaves the column out.
 */
import { csvLine } from "@solar-sites/core"
import { Effect, Stream } from "effect"
import { textOf } from "./CellValues.ts"
import { faultColumn, folded } from "./MemberNames.ts"
import type { Cell, ImportFault, Row, TableSource } from "./Table.ts"
import { openTable } from "./TableReader.ts"

const constantOf = (cell: Cell, delimiter: string): string | boolean | null => {
  if (typeof cell === "object" && cell !== null) return cell.error
  // With another delimiter a comma is the decimal sign, and 1.234 could be read as 1234.
  if (typeof cell === "number") return delimiter === "," ? String(cell) : String(cell).replace(".", ",")
  return cell
}

const cellText = (cell: Cell, delimiter: string): string => {
  const text = csvLine([constantOf(cell, delimiter)])
  return !text.startsWith('"') && text.includes(delimiter) ? `"${text}"` : text
}

// Characters after which no more faults are named: the cell stays within the limit of an import.
const maximumText = 1_000

const textsByRow = (faults: ReadonlyArray<ImportFault>): ReadonlyMap<number, string> => {
  const texts = new Map<number, string>()
  for (const { column, detail, row } of faults) {
    const text = column === null ? detail : `${column}: ${detail}`
    const before = texts.get(row) ?? ""
    if (before.length < maximumText) texts.set(row, before === "" ? text : `${before}; ${text}`)
  }
  return texts
}

/** Passes the lines of each step to `write`, with a byte order mark for spreadsheets. */
export const writeMarkedFile = <E, R>(
  source: TableSource,
  faults: ReadonlyArray<ImportFault>,
  write: (text: string) => Effect.Effect<void, E, R>
) =>
  Effect.scoped(
    Effect.gen(function* () {
      const { delimiter, steps } = yield* openTable(source)
      const texts = textsByRow(faults)
      let width: number | undefined
      let marked = -1
      const lineOf = ({ cells, row }: Row): string => {
        const isHeader = width === undefined
        // The file may have been marked before.
        if (isHeader) marked = cells.findIndex((cell) => folded(textOf(cell) ?? "") === folded(faultColumn))
        width ??= cells.length
        const own = Array.from({ length: Math.max(width, cells.length) }, (_, index) => cells[index] ?? null)
        const kept = own.filter((_, index) => index !== marked)
        const text = texts.get(row) ?? null
        // First, since a row can have more cells than the header.
        const all = [isHeader ? faultColumn : text, ...kept]
        return `${all.map((cell) => cellText(cell, delimiter)).join(delimiter)}\r\n`
      }
      yield* write("\ufeff")
      yield* Stream.runForEach(steps, (rows) => write(rows.map(lineOf).join("")))
    })
  )

/**
 * Columns of a file with the members that they hold or may hold, and their first cells.
 */
import { Effect, Stream } from "effect"
import { textOf } from "./CellValues.ts"
import { readHeader } from "./Columns.ts"
import { suggestionFor } from "./MemberNames.ts"
import { type Cell, type Row, UnreadableTable } from "./Table.ts"
import type { Table } from "./TableReader.ts"

const maximumRows = 100
const maximumSamples = 3
const maximumSample = 80

const sampleOf = (cell: Cell): string => {
  const text = typeof cell === "object" && cell !== null ? cell.error : String(cell)
  return text.length > maximumSample ? `${text.slice(0, maximumSample)}…` : text
}

/** Keeps the header and the first cells of each column that have a value. */
const makeSamples = () => {
  let header: Row | undefined
  let rows = 0
  const samples: Array<Array<string>> = []
  const add = ({ cells }: Row) => {
    for (const [index, cell] of cells.entries()) {
      samples[index] ??= []
      const found = samples[index]
      if (cell !== null && cell !== "" && found.length < maximumSamples) found.push(sampleOf(cell))
    }
  }
  return {
    take: (row: Row) => {
      if (header === undefined) header = row
      else if (rows++ < maximumRows) add(row)
    },
    isFull: () => rows >= maximumRows,
    header: () => header,
    of: (index: number): ReadonlyArray<string> => samples[index] ?? []
  }
}

/**
 * `target` as in `Column`; null for an unknown header. `suggestion` is the member that it may mean. Columns without a
 * name are left out.
 */
export const previewColumns = Effect.fnUntraced(function* ({ steps }: Table) {
  const samples = makeSamples()
  yield* Stream.runForEachWhile(steps, (rows) =>
    Effect.sync(() => {
      for (const row of rows) samples.take(row)
      return !samples.isFull()
    })
  )
  const first = samples.header()
  if (first === undefined) return yield* Effect.fail(new UnreadableTable("empty_file", "has no rows"))
  const { columns } = readHeader(first, [], [])
  return first.cells.flatMap((cell, index) => {
    const header = textOf(cell)?.trim() ?? ""
    if (header === "") return []
    const column = columns.find((found) => found.index === index)
    return [
      {
        index,
        header,
        target: column?.target ?? null,
        unit: column?.unit ?? null,
        suggestion: column === undefined ? (suggestionFor(header) ?? null) : null,
        samples: samples.of(index)
      }
    ]
  })
})

/**
 * Decimal commas in a file with commas between its cells: numbers are quoted there, and a column is
 * read with decimal commas where all its cells read that way.
 */
import { isGrouped, joinedNumber, numberOf } from "./NumberText.ts"
import type { Cell, Row } from "./Table.ts"

/**
 * What the numbers of a column show. `commas`: every one can be read with decimal commas, and one can
 * be read in no other way. `either`: the commas may separate thousands. `points`: all others.
 */
export type NumberColumn = "commas" | "either" | "points"

/** Null for a cell that shows nothing: an empty one, or a number without a separator. */
const shownBy = (cell: Cell): NumberColumn | null => {
  if (cell === null) return null
  const text = typeof cell === "string" ? joinedNumber(cell) : undefined
  if (text === "") return null
  if (text === undefined || "code" in numberOf(text, { hasCommaDecimals: true, isSmall: true })) return "points"
  const [point, comma] = [text.lastIndexOf("."), text.lastIndexOf(",")]
  if (point >= 0) {
    if (comma >= 0) return comma > point ? "commas" : "points"
    return isGrouped(text, ".") ? null : "points"
  }
  if (comma < 0) return null
  if (text.indexOf(",") < comma) return "points"
  return isGrouped(text, ",") ? "either" : "commas"
}

/** By the index of the column. The first row is the header. */
export const numberColumns = async (steps: AsyncIterable<ReadonlyArray<Row>>): Promise<ReadonlyArray<NumberColumn>> => {
  let width: number | undefined
  const shown: Array<NumberColumn | null> = []
  for await (const rows of steps) {
    for (const { cells } of rows) {
      if (width === undefined) {
        width = cells.length
        continue
      }
      for (let index = 0; index < width; index++) {
        const before = shown[index] ?? null
        if (before === "points") continue
        const shows = shownBy(cells[index] ?? null)
        if (shows === "points" || before === null || (shows === "commas" && before === "either")) shown[index] = shows
      }
    }
  }
  return Array.from({ length: width ?? 0 }, (_, index) => shown[index] ?? "points")
}

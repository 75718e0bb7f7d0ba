/**
 * Numbers in files to import (docs/import.md).
 */
import { type Cell, hasCommaDecimals, type Table } from "../ImportedFile.ts"
import type { Column } from "./ImportedColumns.ts"

/**
 * What a text shows about its column, where a comma is the delimiter: `commas` can be read with a
 * decimal comma alone, `either` in two ways, `points` not with a decimal comma, null in any way.
 */
type Shown = "commas" | "either" | "points" | null

type Spelled = Readonly<Record<string, readonly [number | null, number | null, Shown]>>

/**
 * Numbers as people write them, with their values where a comma is no decimal sign, and where it is.
 * A value of null is a fault: no number, or one that can be read as two. Sums of the values are exact.
 */
export const spelledNumbers: Spelled = {
  ...{ "12": [12, 12, null], "1.234,5": [1234.5, 1234.5, "commas"], "1,234.5": [1234.5, 1234.5, "points"] },
  ...{ "1 234": [1234, 1234, null], "2,5": [null, 2.5, "commas"], "1,250": [null, 1.25, "either"] },
  ...{ "1.250": [1.25, null, null], "1'234,5": [null, 1234.5, "commas"], twelve: [null, null, "points"] }
}

/** Spellings of latitudes, which have no thousands. */
export const spelledDegrees: Spelled = {
  ...{ "51.501": [51.501, 51.501, null], "51,5": [null, 51.5, "commas"], "51,125": [null, 51.125, "either"] },
  ...{ "-7.125": [-7.125, -7.125, null], north: [null, null, "points"] }
}

const isEmpty = (cell: Cell): boolean => cell === null || cell === ""

const shownBy = (spelled: Spelled, cell: Cell): Shown =>
  typeof cell === "number" ? (Number.isInteger(cell) ? null : "points") : (spelled[String(cell)]?.[2] ?? null)

/** True where a comma in a number of this column is a decimal sign. */
const readsCommas = (table: Table, { index, target }: Column, spelled: Spelled): boolean => {
  if (hasCommaDecimals(table)) return true
  const cells = table.rows.map((row) => row[index] ?? null).filter((cell) => !isEmpty(cell))
  const shown = cells.map((cell) => shownBy(spelled, cell))
  if (shown.includes("points")) return false
  return shown.includes("commas") || (target === "latitude" && shown.includes("either"))
}

/** Null for a fault. */
export const numberIn = (table: Table, column: Column, cell: Cell): number | null => {
  if (typeof cell === "number") return cell
  const spelled = column.target === "capacity" ? spelledNumbers : spelledDegrees
  return spelled[String(cell)]?.[readsCommas(table, column, spelled) ? 1 : 0] ?? null
}

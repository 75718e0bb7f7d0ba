/**
 * Columns of files to import: which member each header means, and which numbers (docs/import.md).
 */
import { SiteManager, siteMembers } from "@solar-sites/core/model"
import { type Cell, hasCommaDecimals, type Table } from "../ImportedFile.ts"
import type { Fault, Mapping } from "../ImportState.ts"
import { units } from "./SiteRecords.ts"

/** `unit` is that of a capacity, where the header names it. */
export interface Column {
  readonly index: number
  readonly header: string
  readonly target: string
  readonly unit: string | null
}

/** External ids or names of portfolios. */
export const portfolioColumn = "portfolio"

const settingOf = (target: string): string => (target === portfolioColumn ? "portfolioId" : target)

/** All that a column can hold, besides one attribute. */
export const importedMembers: ReadonlyArray<string> = [
  portfolioColumn,
  ...siteMembers.flatMap((member) =>
    member === "siteManager" ? Object.keys(SiteManager.fields).map((name) => `${member}.${name}`) : [member]
  )
]

const readOnlyMembers = ["id", "organisationId", "createdAt", "updatedAt", "version", "capacityKw"]

export const isReadOnly = (target: string): boolean => readOnlyMembers.includes(target)

/** Case, spaces and punctuation do not matter. */
const folded = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "")

const named = (names: ReadonlyArray<string>, name: string): string | undefined =>
  names.find((one) => folded(one) === folded(name))

/** The member of a name; undefined for an unknown one. */
export const targetOf = (name: string): string | undefined =>
  /^attributes\../i.test(name) ? `attributes.${name.slice("attributes.".length)}` : named(importedMembers, name)

const unitOf = (header: string): string | null =>
  units.find((unit) => folded(header) === folded(`capacity${unit}`)) ?? null

const columnOf = (header: string, index: number, mappings: ReadonlyArray<Mapping>): Column | "left out" | undefined => {
  const mapping = mappings.find(({ column }) => folded(column) === folded(header))
  if (mapping?.target === "-") return "left out"
  const unit = unitOf(header)
  const target =
    mapping === undefined
      ? (targetOf(header) ?? (unit === null ? named(readOnlyMembers, header) : "capacity"))
      : targetOf(mapping.target)
  return target === undefined ? undefined : { index, header, target, unit: target === "capacity" ? unit : null }
}

/** Columns with a name. Faults are in row 1; `required` members need a column. */
export const columnsOf = (
  { header }: Pick<Table, "header">,
  mappings: ReadonlyArray<Mapping>,
  required: ReadonlyArray<string>
): { readonly columns: ReadonlyArray<Column>; readonly faults: ReadonlyArray<Fault> } => {
  const faults: Array<Fault> = []
  const columns: Array<Column> = []
  for (const [index, name] of header.entries()) {
    const column = name === "" ? "left out" : columnOf(name, index, mappings)
    if (column === "left out") continue
    if (column === undefined) faults.push({ row: 1, column: name, code: "unknown_column" })
    else {
      const isRepeated = columns.some(({ target }) => settingOf(target) === settingOf(column.target))
      if (isRepeated) faults.push({ row: 1, column: name, code: "duplicate_column" })
      columns.push(column)
    }
  }
  for (const { column } of mappings) {
    const isThere = header.some((name) => folded(name) === folded(column))
    if (!isThere) faults.push({ row: 1, column, code: "missing_column" })
  }
  if (faults.length > 0) return { columns, faults }
  const held = columns.flatMap(({ target, unit }) => (unit === null ? [target] : [target, "unit"]))
  const missing = required.filter((name) => !held.includes(name))
  return { columns, faults: missing.map(() => ({ row: 1, column: null, code: "missing_column" })) }
}

/** The header of the column that holds the value at a pointer; without one its path. */
export const headerAt = (columns: ReadonlyArray<Column>, pointer: string): string => {
  const path = pointer.slice(1).split("/")
  for (let length = path.length; length > 0; length--) {
    const target = path.slice(0, length).join(".")
    const column = columns.find((one) => settingOf(one.target) === target || (target === "unit" && one.unit !== null))
    if (column !== undefined) return column.header
  }
  return path.join(".")
}

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

/**
 * Rows of files to import as members of sites (docs/import.md).
 */
import { uuidIn } from "../Call.ts"
import { type Cell, hasCommaDecimals, type Table } from "../ImportedFile.ts"
import type { Fault, ReadRow } from "../ImportState.ts"
import { read } from "../Members.ts"
import { type Column, headerAt, isReadOnly } from "./ImportedColumns.ts"
import { siteMembers, units } from "./SiteRecords.ts"

/**
 * Numbers as people write them, with their values where a comma is the delimiter, and elsewhere.
 * Null is a fault: no number, or one that can be read as two. Sums of the values are exact.
 */
export const spelledNumbers: Readonly<Record<string, readonly [number | null, number | null]>> = {
  ...{ "12": [12, 12], "1.234,5": [1234.5, 1234.5], "1,234.5": [1234.5, 1234.5], "1 234": [1234, 1234] },
  ...{ "2,5": [null, 2.5], "1,250": [null, 1.25], "1.250": [1.25, null], "1'234,5": [null, 1234.5] },
  twelve: [null, null]
}

/** Of latitudes, which have no thousands. */
export const spelledDegrees: typeof spelledNumbers = {
  ...{ "51.501": [51.501, 51.501], "51,5": [null, 51.5], "-7.125": [-7.125, -7.125], north: [null, null] }
}

/** The value of a cell; undefined for a faulty one. */
const readCell = (table: Table, { target }: Column, cell: Cell): { readonly value: unknown } | undefined => {
  if (cell === null || cell === "") return { value: null }
  // An export puts an apostrophe before a text that a spreadsheet would compute.
  const text = String(cell).replace(/^'(?='*[=+\-@\t\r])/, "")
  if (target === "id") return uuidIn(text) === undefined ? undefined : { value: null }
  if (isReadOnly(target)) return { value: null }
  if (target === "capacity" || target === "latitude") {
    if (typeof cell === "number") return { value: cell }
    const value = (target === "capacity" ? spelledNumbers : spelledDegrees)[text]?.[hasCommaDecimals(table) ? 1 : 0]
    return value === null || value === undefined ? undefined : { value }
  }
  if (target === "unit") return { value: units.find((unit) => unit.toLowerCase() === text.toLowerCase()) ?? text }
  if (target === "portfolioId") return { value: text.trim() }
  if (target === "tags") return { value: text.split(/[;,]/).map((tag) => tag.trim()) }
  const isNumberOfWorkbook = table.form === "workbook" && target.startsWith("attributes.")
  return { value: isNumberOfWorkbook ? (typeof cell === "number" ? cell : text) : text }
}

const required = ["siteName", "capacity", "unit"]

/** Members from values by their path. An object of which all values are empty is null. */
const membersOf = (values: ReadonlyMap<string, unknown>): Readonly<Record<string, unknown>> => {
  const members: Record<string, unknown> = {}
  for (const [target, value] of values) {
    const [member = "", ...names] = target.split(".")
    const name = names.join(".")
    if (isReadOnly(member) || (required.includes(member) && value === null)) continue
    if (name === "") members[member] = value
    else members[member] = value === null ? (members[member] ?? null) : { ...Object(members[member]), [name]: value }
  }
  return members
}

/** `isStored` says whether a site with the external id is changed by the row. */
export const readRow = (
  table: Table,
  columns: ReadonlyArray<Column>,
  index: number,
  isStored: (externalId: string) => boolean
): ReadRow => {
  const row = index + 2
  const cells = table.rows[index] ?? []
  const faults: Array<Fault> = []
  const values = new Map<string, unknown>()
  const failed: Array<string> = []
  for (const column of columns) {
    const found = readCell(table, column, cells[column.index] ?? null)
    if (found !== undefined) values.set(column.target, found.value)
    else {
      failed.push(column.target)
      faults.push({ row, column: column.header })
    }
  }
  const isLonger = cells.slice(table.header.length).some((cell) => cell !== null && cell !== "")
  if (isLonger) faults.push({ row, column: null })
  const unit = columns.find((column) => column.unit !== null)?.unit ?? null
  if (unit !== null && (values.get("capacity") ?? null) !== null) values.set("unit", unit)
  const given = values.get("externalId") ?? null
  const externalId = given === null ? null : String(given)
  const mode = externalId !== null && isStored(externalId) ? "change" : "create"
  const { pointers, values: stored } = read(siteMembers, [], membersOf(values), mode)
  for (const pointer of pointers) {
    const isNamed = failed.includes(pointer.slice(1).replaceAll("/", "."))
    if (!isNamed) faults.push({ row, column: headerAt(columns, pointer) })
  }
  return { row, values: stored, externalId, faults }
}

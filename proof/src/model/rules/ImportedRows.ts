/**
 * Rows of files to import as members of sites (docs/import.md).
 */
import { CreateSite, UpdateSite } from "@solar-sites/core/model"
import { Result } from "effect"
import { uuidIn } from "../Call.ts"
import type { Cell, Table } from "../ImportedFile.ts"
import type { Fault, ReadRow } from "../ImportState.ts"
import { read } from "../Input.ts"
import { type Column, headerAt, isReadOnly, portfolioColumn } from "./ImportedColumns.ts"
import { numberIn } from "./ImportedNumbers.ts"
import { units } from "./SiteRecords.ts"

/** The value of a cell; undefined for a faulty one. */
const readCell = (table: Table, column: Column, cell: Cell, named: Named): { readonly value: unknown } | undefined => {
  const { target } = column
  if (cell === null || cell === "") return { value: null }
  // An export puts an apostrophe before a text that a spreadsheet would compute.
  const text = String(cell).replace(/^'(?='*[=+\-@\t\r])/, "")
  if (target === "id") return uuidIn(text) === undefined ? undefined : { value: null }
  if (isReadOnly(target)) return { value: null }
  if (target === "capacity" || target === "latitude") {
    const value = numberIn(table, column, cell)
    return value === null ? undefined : { value }
  }
  if (target === "unit") return { value: units.find((unit) => unit.toLowerCase() === text.toLowerCase()) ?? text }
  if (target === portfolioColumn) {
    const value = named(text.trim())
    return value === undefined ? undefined : { value }
  }
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

/** The portfolio of a name; undefined for none, or several. */
type Named = (name: string) => string | undefined

/** `isStored` says whether a site with the external id is changed by the row. */
export const readRow = (
  table: Table,
  columns: ReadonlyArray<Column>,
  index: number,
  { isStored, named }: { readonly isStored: (externalId: string) => boolean; readonly named: Named }
): ReadRow => {
  const row = index + 2
  const cells = table.rows[index] ?? []
  const faults: Array<Fault> = []
  const values = new Map<string, unknown>()
  const failed: Array<string> = []
  for (const column of columns) {
    const found = readCell(table, column, cells[column.index] ?? null, named)
    const member = column.target === portfolioColumn ? "portfolioId" : column.target
    if (found !== undefined) values.set(member, found.value)
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
  const isChange = externalId !== null && isStored(externalId)
  const members = membersOf(values)
  const found = isChange ? read(UpdateSite, members) : read(CreateSite, members)
  for (const { pointer } of Result.isFailure(found) ? found.failure : []) {
    const isNamed = failed.includes(pointer.slice(1).replaceAll("/", "."))
    if (!isNamed) faults.push({ row, column: headerAt(columns, pointer) })
  }
  return { row, values: Result.isSuccess(found) ? { ...found.success } : {}, externalId, faults }
}

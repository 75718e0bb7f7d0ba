/**
 * What an import of a file would do: its rows as members of sites, faults, or sites to create and to
 * change (docs/import.md).
 */

import { CreateSite, UpdateSite } from "@solar-sites/core/model"
import { Result } from "effect"
import { type Origin, uuidIn } from "../Call.ts"
import type { Cell, Table } from "../ImportedFile.ts"
import type { Counts, Fault, ImportOptions, Plan, ReadRow } from "../ImportState.ts"
import { read } from "../Input.ts"
import type { Site } from "../ModelState.ts"
import { type Column, columnsOf, headerAt, isReadOnly, numberIn, portfolioColumn } from "./ImportedColumns.ts"
import { changeSite, portfolioMissing, siteWith, units } from "./SiteRecords.ts"

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
  const isNumber = table.form === "workbook" && target.startsWith("attributes.") && typeof cell === "number"
  return { value: isNumber ? cell : text }
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

/** `storedAs` is the id of the site with the external id that the row changes. */
const readRow = (
  table: Table,
  columns: ReadonlyArray<Column>,
  index: number,
  { named, storedAs }: { readonly named: Named; readonly storedAs: (externalId: string) => string | null }
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
  const stored = externalId === null ? null : storedAs(externalId)
  const members = membersOf(values)
  const found = stored === null ? read(CreateSite, members) : read(UpdateSite, members)
  for (const { pointer } of Result.isFailure(found) ? found.failure : []) {
    const isNamed = failed.includes(pointer.slice(1).replaceAll("/", "."))
    if (!isNamed) faults.push({ row, column: headerAt(columns, pointer) })
  }
  return { row, values: Result.isSuccess(found) ? { ...found.success } : {}, externalId, stored, faults }
}

export const noCounts: Counts = { created: 0, updated: 0, unchanged: 0 }

const unreadable: Partial<Record<Table["form"], ReadonlyArray<Fault> | null>> = {
  unclosed: null,
  "damaged workbook": null,
  empty: [{ row: 1, column: null, code: "empty_file" }]
}

/** The form of a file that is refused as a whole; it is read before rows are. */
export const isNoTable = ({ form }: Table): boolean => form === "utf-16" || form === "old workbook"

/** By external id, else by a name that one portfolio has. */
const portfolioNamed = ({ portfolios }: Origin["organisation"], name: string): string | undefined => {
  const all = [...portfolios.values()]
  const byExternalId = all.find(({ externalId }) => externalId === name)
  const byName = all.filter((one) => one.name === name)
  return byExternalId?.id ?? (byName.length === 1 ? byName[0]?.id : undefined)
}

const faultsOf = (faults: Plan["faults"], lastRow: number): Plan => ({ faults, rows: [], counts: noCounts, lastRow })

const hasContent = (cells: Table["rows"][number]): boolean => cells.some((cell) => cell !== null && cell !== "")

/** Without an effect on the organisation. */
const countChanges = (origin: Origin, rows: ReadonlyArray<ReadRow>): Counts => {
  const { organisation } = origin
  const dry = { ...origin, organisation: { ...organisation, events: [] } }
  const counts = { ...noCounts }
  for (const { stored, values } of rows) {
    const site: Site | undefined = organisation.sites.get(stored ?? "")
    if (site === undefined) counts.created += 1
    else if (changeSite(dry, { ...site }, values)) counts.updated += 1
    else counts.unchanged += 1
  }
  return counts
}

/** `made` are sites that earlier attempts of the import have made, by row. */
export const planOf = (
  origin: Origin,
  table: Table,
  { mappings, upsert }: ImportOptions,
  made: ReadonlyMap<number, string> = new Map()
): Plan => {
  const { organisation } = origin
  if (isNoTable(table)) return faultsOf(null, 0)
  const formFaults = unreadable[table.form]
  if (formFaults !== undefined) return faultsOf(formFaults, 0)
  const { columns, faults: headerFaults } = columnsOf(table, mappings, upsert ? [] : ["siteName", "capacity", "unit"])
  if (headerFaults.length > 0) return faultsOf(headerFaults, 0)

  const storedAs = (externalId: string) => (upsert && siteWith(organisation, externalId)?.id) || null
  const named = (name: string) => portfolioNamed(organisation, name)
  const rows = table.rows.flatMap((cells, index) =>
    hasContent(cells) ? [readRow(table, columns, index, { named, storedAs })] : []
  )
  const column = headerAt(columns, "/externalId")
  const faults = rows.flatMap(({ externalId, faults: found, row, values }, index) => {
    const more: Array<Fault> = [...found]
    const isRepeated = externalId !== null && rows.slice(0, index).some((one) => one.externalId === externalId)
    if (isRepeated) more.push({ row, column, code: "duplicate" })
    if (found.length > 0) return more
    if (portfolioMissing(organisation, values)) {
      more.push({ row, column: headerAt(columns, "/portfolioId"), code: "portfolio_not_found" })
    }
    const taken = upsert ? undefined : siteWith(organisation, externalId)
    if (taken !== undefined && taken.id !== made.get(row)) more.push({ row, column, code: "external_id_taken" })
    return more
  })
  const lastRow = rows.at(-1)?.row ?? 0
  if (faults.length > 0) return faultsOf(faults, lastRow)
  return { faults: [], rows, counts: countChanges(origin, rows), lastRow }
}

/**
 * Columns of a file: which member of a site each of them holds.
 */
import type { CapacityUnit } from "@solar-sites/core"
import { textOf } from "./CellValues.ts"
import {
  folded,
  memberNamed,
  portfolioColumn,
  readOnlyMembers,
  suggestionFor,
  unitAtEnd,
  unitOfCapacity
} from "./MemberNames.ts"
import type { ImportFault, Row } from "./Table.ts"

/**
 * `target` is the path of a member, `attributes.NAME`, or a read-only member. `unit` is the unit of
 * a capacity, where the header names it.
 */
export interface Column {
  readonly index: number
  readonly header: string
  readonly target: string
  readonly unit?: CapacityUnit
}

/** A column that the caller has named: its member, `attributes.NAME`, or null to leave it out. */
export interface Mapping {
  readonly column: string
  readonly target: string | null
}

/** The target of a name, or undefined for an unknown one. */
export const targetNamed = (name: string): string | undefined => {
  const attribute = /^\s*attributes\.(.+)$/i.exec(name)?.[1]?.trim()
  return attribute === undefined ? memberNamed(name) : `attributes.${attribute}`
}

const readOnlyNamed = (header: string) => readOnlyMembers.find((member) => folded(member) === folded(header))

const unknownColumn = (header: string): string => {
  const suggestion = suggestionFor(header)
  const question = suggestion === undefined ? "." : `; did you mean ${suggestion}?`
  return `is no member of a site${question} Map it to a member, to attributes.${header}, or to - to leave it out`
}

type Mappings = ReadonlyMap<string, Mapping>

const columnOf = (header: string, index: number, mappings: Mappings): Column | null | undefined => {
  const mapping = mappings.get(folded(header))
  const target = mapping === undefined ? targetNamed(header) : mapping.target
  if (target === null) return null
  const unit = mapping === undefined ? unitOfCapacity(header) : unitAtEnd(header)
  if (target === "capacity" && unit !== undefined) return { index, header, target, unit }
  if (target !== undefined) return { index, header, target }
  const readOnly = readOnlyNamed(header)
  if (readOnly !== undefined) return { index, header, target: readOnly }
  return unit === undefined ? undefined : { index, header, target: "capacity", unit }
}

/** Without another capacity, `capacity_kw` is the capacity in kW and not the read-only member. */
const withCapacity = (columns: ReadonlyArray<Column>): ReadonlyArray<Column> =>
  columns.some(({ target }) => target === "capacity")
    ? columns
    : columns.map((column) => (column.target === "capacityKw" ? { ...column, target: "capacity", unit: "kW" } : column))

/** What of a site the column sets: two columns can set the portfolio. */
const settingOf = ({ target }: Column): string => (target === portfolioColumn ? "portfolioId" : target)

export interface Header {
  readonly columns: ReadonlyArray<Column>
  /** Number of columns with a name. */
  readonly width: number
  readonly faults: ReadonlyArray<ImportFault>
}

/** `required`: members that the file must have. */
export const readHeader = (
  { cells, row }: Row,
  mappings: ReadonlyArray<Mapping>,
  required: ReadonlyArray<string>
): Header => {
  const faults: Array<ImportFault> = []
  const refuse = (column: string | null, code: string, detail: string) => faults.push({ row, column, code, detail })
  const headers = cells.map((cell) => textOf(cell)?.trim() ?? "")
  // The first of two mappings of a column counts.
  const mappingsByName = new Map(mappings.toReversed().map((mapping) => [folded(mapping.column), mapping]))
  const found: Array<Column> = []
  for (const [index, header] of headers.entries()) {
    if (header === "") continue
    const column = columnOf(header, index, mappingsByName)
    if (column === undefined) refuse(header, "unknown_column", unknownColumn(header))
    else if (column !== null) found.push(column)
  }
  const columns = withCapacity(found)
  for (const [index, column] of columns.entries()) {
    const { header } = column
    const setting = settingOf(column)
    const first = columns.findIndex((other) => settingOf(other) === setting)
    if (first < index) refuse(header, "duplicate_column", `holds ${setting}, as ${columns[first]?.header} does`)
  }
  const names = new Set(headers.map(folded))
  for (const { column } of mappings) {
    if (!names.has(folded(column))) {
      refuse(column, "missing_column", "is mapped, and is no column of the file")
    }
  }
  const held = new Set(columns.flatMap(({ target, unit }) => (unit === undefined ? [target] : [target, "unit"])))
  if (faults.length === 0) {
    for (const member of required.filter((name) => !held.has(name))) {
      refuse(null, "missing_column", `is no column for ${member}, which is required`)
    }
  }
  return { columns, width: headers.findLastIndex((header) => header !== "") + 1, faults }
}

/** The header of the column of a path such as `tags, 3`; without a column the path. */
export const headerOf = (columns: ReadonlyArray<Column>, path: ReadonlyArray<string>): string => {
  for (let length = path.length; length > 0; length--) {
    const target = path.slice(0, length).join(".")
    const column = columns.find((each) => settingOf(each) === target || (target === "unit" && each.unit !== undefined))
    if (column !== undefined) return column.header
  }
  return path.join(".")
}

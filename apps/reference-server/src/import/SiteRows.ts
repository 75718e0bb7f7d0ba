/**
 * Rows of a file as inputs for sites: values by column, then the schema of the API.
 */
import { ExternalId, type Fault, faultsOf } from "@solar-sites/core"
import { Option, Result, Schema, type SchemaIssue } from "effect"
import { attributesOf, tagsOf, textOf, unitIn } from "./CellValues.ts"
import { type Column, type Header, headerOf } from "./Columns.ts"
import { portfolioColumn, readOnlyMembers } from "./MemberNames.ts"
import { numberOf, type Read } from "./NumberText.ts"
import type { NamedPortfolio } from "./PortfolioNames.ts"
import type { Cell, ImportFault, Row } from "./Table.ts"

export type Members = Record<string, unknown>

/** A row with its decoded value, or with its faults. */
export interface SiteRow<A> {
  readonly row: number
  readonly externalId: string | null
  readonly valid: A | null
  readonly faults: ReadonlyArray<ImportFault>
}

/** A row before what it names has been looked up. Its `externalId` is null when it is none. */
export interface UnresolvedRow {
  readonly row: number
  readonly externalId: string | null
  /** The text of the column `portfolio`. */
  readonly portfolio: string | null
  readonly decode: <A>(
    decode: (members: Members) => Result.Result<A, SchemaIssue.Issue>,
    portfolio: NamedPortfolio | null
  ) => SiteRow<A>
}

const required = new Set(["siteName", "capacity", "unit"])
const isReadOnly = (target: string) => readOnlyMembers.some((member) => member === target)
const isUuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** An empty text is a value for an address alone, which can be empty. */
const textValue = (target: string, cell: Cell): unknown => {
  const text = textOf(cell)
  return text === "" && target !== "address" ? null : text
}

const read = ({ target }: Column, cell: Cell, hasCommaDecimals: boolean): Read => {
  if (typeof cell === "object" && cell !== null) return { code: "cell_error", detail: `is ${cell.error}` }
  const text = textOf(cell)
  switch (target) {
    case "id":
      return text === null || text === "" || isUuid.test(text)
        ? { value: undefined }
        : {
            code: "unknown_id",
            detail: "is no id of this service; map the column to externalId, or to - to leave it out"
          }
    case "capacity":
      return numberOf(cell, { hasCommaDecimals, isSmall: false })
    case "latitude":
    case "longitude":
      return numberOf(cell, { hasCommaDecimals, isSmall: true })
    case "unit":
      return { value: text === null || text === "" ? null : (unitIn(text) ?? text) }
    case portfolioColumn:
    case "portfolioId":
      return { value: text === null || text.trim() === "" ? null : text.trim() }
    case "tags":
      return text === null || text === "" ? { value: null } : tagsOf(text)
    case "attributes":
      return text === null || text === "" ? { value: null } : attributesOf(text)
    default:
      if (isReadOnly(target)) return { value: undefined }
      return { value: target.startsWith("attributes.") ? cell : textValue(target, cell) }
  }
}

/** A member that may have the name of an inherited one, such as `__proto__`. */
const define = (members: Members, name: string, value: unknown) =>
  Object.defineProperty(members, name, { value, enumerable: true, configurable: true, writable: true })

/** Places values by their path. An object without a value is null. */
const assemble = (values: ReadonlyMap<string, unknown>): Members => {
  const members: Members = {}
  const nested = new Map<string, Members>()
  for (const [target, value] of values) {
    const [, parent, name] = /^(\w+)\.(.+)$/s.exec(target) ?? []
    if (parent === undefined || name === undefined) members[target] = value
    else if (value !== null) nested.set(parent, define(nested.get(parent) ?? {}, name, value))
    else if (!nested.has(parent)) nested.set(parent, {})
  }
  for (const [parent, parts] of nested) {
    const more = Object.entries(Object(members[parent]))
    for (const [name, value] of more) if (!Object.hasOwn(parts, name)) define(parts, name, value)
    members[parent] = Object.keys(parts).length === 0 ? null : parts
  }
  // An empty cell of a required member is an absent member.
  for (const name of required) if (members[name] === null) delete members[name]
  return members
}

const pathOf = (pointer: string): ReadonlyArray<string> =>
  pointer
    .slice(1)
    .split("/")
    .map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"))

const externalIdOf = Schema.decodeUnknownOption(ExternalId)

/** Reads rows with the columns of a header. */
export const makeRowReader = (
  { columns, width }: Header,
  hasCommaDecimals: (column: Column) => boolean
): ((row: Row) => UnresolvedRow) => {
  const unitColumn = columns.find(({ target, unit }) => target === "capacity" && unit !== undefined)
  return ({ cells, row }) => {
    const faults: Array<ImportFault> = []
    const refuse = (column: string | null, { code, detail }: Omit<Fault, "pointer">) => {
      // A capacity and its unit can share a column.
      if (faults.some((fault) => fault.column === column && fault.code === code)) return
      faults.push({ row, column, code, detail })
    }
    const values = new Map<string, unknown>()
    const failed = new Set<string>()
    for (const column of columns) {
      const result = read(column, cells[column.index] ?? null, hasCommaDecimals(column))
      if (!("value" in result)) {
        failed.add(column.target)
        refuse(column.header, result)
      } else if (result.value !== undefined) values.set(column.target, result.value)
    }
    if (cells.slice(width).some((cell) => cell !== null && cell !== "")) {
      refuse(null, { code: "extra_cell", detail: "has more cells than the header" })
    }
    const { header = "", unit } = unitColumn ?? {}
    const given = values.get("unit") ?? null
    // Another text is a fault of its own, which does not repeat it.
    if (unit !== undefined && given !== unit && unitIn(String(given)) !== undefined) {
      refuse(header, { code: "conflicting_unit", detail: `is in ${unit}, and the unit of the row is ${given}` })
    }
    // A capacity that cannot be read has a unit. Without one there is one fault, of the capacity.
    const hasCapacity = failed.has("capacity") || (values.get("capacity") ?? null) !== null
    if (unit !== undefined && given === null && hasCapacity) values.set("unit", unit)
    const externalId = Option.getOrNull(externalIdOf(values.get("externalId")))
    const named = values.get(portfolioColumn)
    values.delete(portfolioColumn)
    return {
      row,
      externalId,
      portfolio: typeof named === "string" ? named : null,
      decode: (decode, portfolio) => {
        if (typeof portfolio === "object" && portfolio !== null) refuse(headerOf(columns, ["portfolioId"]), portfolio)
        else if (named !== undefined) values.set("portfolioId", portfolio)
        const decoded = decode(assemble(values))
        if (Result.isFailure(decoded)) {
          for (const { pointer, ...fault } of faultsOf(decoded.failure)) {
            const path = pathOf(pointer)
            if (!failed.has(path.join("."))) refuse(headerOf(columns, path), fault)
          }
        }
        const valid = faults.length === 0 && Result.isSuccess(decoded) ? decoded.success : null
        return { row, externalId, faults, valid }
      }
    }
  }
}

/**
 * Values of members from cells.
 */
import { type CapacityUnit, kilowattsPerUnit } from "@solar-sites/core"
import type { Cell } from "./Table.ts"

/** A value, or the fault of a cell. */
export type Read = { readonly value: unknown } | { readonly code: string; readonly detail: string }

const fault = (code: string, detail: string): Read => ({ code, detail })

const isNumber = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i

/** True of digits in groups of three, such as `1.234.567`. */
const isGrouped = (digits: string, separator: string): boolean => {
  const [first = "", ...groups] = digits.replace(/^[+-]/, "").split(separator)
  return /^[1-9]\d{0,2}$/.test(first) && groups.length > 0 && groups.every((group) => /^\d{3}$/.test(group))
}

interface NumberForm {
  readonly hasCommaDecimals: boolean
  /** True of a member that cannot be 1,000 or more, so that a point is never a separator. */
  readonly isSmall: boolean
}

const notNumber = fault("invalid_number", "must be a number")
const ambiguous = fault("ambiguous_number", "can be read as two numbers; write it without a thousands separator")

/** The text with a decimal point and without other separators; undefined when it is ambiguous. */
const plainNumber = (text: string, { hasCommaDecimals, isSmall }: NumberForm): string | undefined => {
  const point = text.lastIndexOf(".")
  const comma = text.lastIndexOf(",")
  if (point >= 0 && comma >= 0) {
    const [decimal, separator] = point > comma ? [".", ","] : [",", "."]
    const [whole = "", fraction, ...more] = text.split(decimal)
    const holds = more.length === 0 && isGrouped(whole, separator)
    return holds ? `${whole.replaceAll(separator, "")}.${fraction}` : undefined
  }
  for (const separator of [".", ","]) {
    if (text.split(separator).length > 2) {
      return isGrouped(text, separator) ? text.replaceAll(separator, "") : undefined
    }
  }
  if (comma >= 0) return hasCommaDecimals ? text.replace(",", ".") : undefined
  // Where commas are decimal signs, 1.234 may be 1234.
  return hasCommaDecimals && !isSmall && isGrouped(text, ".") ? undefined : text
}

/**
 * A number. With both separators the last one is the decimal sign. Spaces and apostrophes separate
 * groups of three digits.
 */
export const numberOf = (cell: Cell, form: NumberForm): Read => {
  if (cell === null || typeof cell === "number") return { value: cell }
  if (typeof cell !== "string") return notNumber
  const text = cell.trim().replace("\u2212", "-")
  if (text === "") return { value: null }
  const joined = text.replace(/(?<=\d)[ \u00a0\u202f'\u2019](?=\d{3}(?!\d))/g, "")
  if (!/^[+-]?[\d.,]+(e[+-]?\d+)?$/i.test(joined)) return notNumber
  const plain = plainNumber(joined, form)
  if (plain === undefined) return ambiguous
  return isNumber.test(plain) ? { value: Number(plain) } : notNumber
}

/** Text as it is in the cell; numbers and booleans of XLSX as their text. */
export const textOf = (cell: Cell): string | null => (cell === null || typeof cell === "object" ? null : String(cell))

// The keys of the table are the units.
const units = Object.keys(kilowattsPerUnit) as ReadonlyArray<CapacityUnit>

/** A unit in any letter case, such as `KWP`. */
export const unitIn = (text: string): CapacityUnit | undefined =>
  units.find((unit) => unit.toLowerCase() === text.trim().toLowerCase())

const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A JSON array, or texts separated by semicolons or commas. */
export const tagsOf = (text: string): Read => {
  if (!text.trimStart().startsWith("[")) {
    return { value: text.split(/[;,]/).flatMap((tag) => (tag.trim() === "" ? [] : [tag.trim()])) }
  }
  const value = jsonIn(text)
  return Array.isArray(value) ? { value } : fault("invalid_json", "must be tags separated by ; or a JSON array")
}

/** A JSON object. */
export const attributesOf = (text: string): Read => {
  const value = jsonIn(text)
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? { value }
    : fault("invalid_json", "must be a JSON object")
}

/**
 * Numbers in texts, with the decimal signs and separators that people write.
 */
import type { Cell } from "./Table.ts"

/** A value, or the fault of a cell. */
export type Read = { readonly value: unknown } | { readonly code: string; readonly detail: string }

export const fault = (code: string, detail: string): Read => ({ code, detail })

// Longer than any number with a meaning here.
const maximumNumber = 64

const isNumber = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i

/** True of digits in groups of three, such as `1.234.567`. */
export const isGrouped = (digits: string, separator: string): boolean => {
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

/** Without space around it and between groups of three digits; undefined for another text. */
export const joinedNumber = (cell: string): string | undefined => {
  const text = cell.trim().replace("\u2212", "-")
  if (text.length > maximumNumber) return undefined
  const joined = text.replace(/(?<=\d)[ \u00a0\u202f'\u2019](?=\d{3}(?!\d))/g, "")
  return text === "" || /^[+-]?[\d.,]+(e[+-]?\d+)?$/i.test(joined) ? joined : undefined
}

/**
 * A number. With both separators the last one is the decimal sign. Spaces and apostrophes separate
 * groups of three digits.
 */
export const numberOf = (cell: Cell, form: NumberForm): Read => {
  if (cell === null || typeof cell === "number") return { value: cell }
  if (typeof cell !== "string") return notNumber
  const joined = joinedNumber(cell)
  if (joined === undefined) return notNumber
  if (joined === "") return { value: null }
  const plain = plainNumber(joined, form)
  if (plain === undefined) return ambiguous
  return isNumber.test(plain) ? { value: Number(plain) } : notNumber
}

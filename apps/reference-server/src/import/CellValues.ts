/**
 * Values of members from cells.
 */
import { type CapacityUnit, kilowattsPerUnit } from "@solar-sites/core"
import { fault, type Read } from "./NumberText.ts"
import type { Cell } from "./Table.ts"

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

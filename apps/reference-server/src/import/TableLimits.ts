/**
 * Limits of files of sites (specification, section 14). They are compared before a regular
 * expression or a normalisation sees a text, so that work grows with the size of a file alone.
 */
import type { TableSource } from "./Table.ts"

/** The header counts as a row. */
export const maximumRows = 1_000_000
export const maximumColumns = 200
export const maximumHeader = 200
/** Characters of a cell, as in spreadsheets. */
export const maximumCell = 32_767
/** Characters of a row. Without it a missing quote would read the rest of a file as a row. */
export const maximumRow = 1_048_576
/** Nested elements of a workbook, which has fewer than ten. */
export const maximumDepth = 32
/** Characters of the code of a format, as in spreadsheets. */
export const maximumFormatCode = 255

const mebibyte = 1_048_576

/** What the reading of one file may take. */
export interface ReadLimits {
  /** Uncompressed bytes of a part of a workbook that is kept in memory. */
  readonly partBytes: number
  /** Uncompressed bytes of a sheet, which is streamed, and characters of all its cells. */
  readonly sheetBytes: number
  /** Heap of the thread that reads. */
  readonly heapMegabytes: number
  /** Time that the thread works, in all passes together. */
  readonly seconds: number
}

const heapMegabytes = 256

/** Limits of a file of an operator. */
const fileLimits: ReadLimits = { partBytes: 64 * mebibyte, sheetBytes: 1_024 * mebibyte, heapMegabytes, seconds: 1_800 }

/** Limits of content that users send to a server. */
const contentLimits: ReadLimits = {
  ...{ partBytes: 32 * mebibyte, sheetBytes: 128 * mebibyte, heapMegabytes },
  seconds: 120
}

export const limitsOf = (source: TableSource): ReadLimits => (typeof source === "string" ? fileLimits : contentLimits)

/**
 * Cells of a sheet from the events of its XML.
 */
import type { Cell, Row } from "./Table.ts"
import { maximumCell, maximumColumns } from "./TableLimits.ts"
import { dateText } from "./XlsxDates.ts"
import { invalid, type XmlHandler } from "./XlsxXml.ts"

/** Shared strings, and for each style of a cell whether it shows dates. */
interface Workbook {
  readonly strings: ReadonlyArray<string>
  readonly dateStyles: ReadonlyArray<boolean>
  readonly is1904: boolean
}

/** The index of a column from a reference such as `AB12`. */
const columnOf = (reference: string): number => {
  const letters = /^([A-Z]{1,3})[0-9]{1,7}$/.exec(reference)?.[1]
  if (letters === undefined) throw invalid("has a cell with an invalid reference")
  let column = 0
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64
  return column - 1
}

const rowOf = (number: string): number => {
  if (!/^[0-9]{1,7}$/.test(number)) throw invalid("has a row with an invalid number")
  return Number(number)
}

// Longer than any error of a spreadsheet.
const maximumError = 20

/**
 * The text with a part added. A text beyond the limit of a cell stays beyond it, and grows no more.
 */
export const joined = (text: string, part: string): string =>
  text.length > maximumCell ? text : text + part.slice(0, maximumCell + 1 - text.length)

// Characters that XML cannot hold are written so.
export const unescaped = (text: string): string =>
  text.replace(/_x([0-9a-f]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

const textCell = (text: string): Cell => (text === "" ? null : text)

/** `take` returns the rows that are complete, once. */
export const makeSheetReader = ({ dateStyles, is1904, strings }: Workbook) => {
  let rows: Array<Row> = []
  let row = 0
  let cells: Array<Cell> = []
  let column = -1
  let attributes: Readonly<Record<string, string>> = {}
  let text = ""
  let isText = false

  const cellOf = (): Cell => {
    switch (attributes["t"]) {
      case "s":
        return textCell(strings[Number(text)] ?? "")
      case "inlineStr":
      case "str":
      case "d":
        return textCell(unescaped(text))
      case "b":
        return text === "1"
      case "e":
        return { error: text.slice(0, maximumError) }
      default: {
        if (text === "") return null
        const number = Number(text)
        return dateStyles[Number(attributes["s"])] === true ? dateText(number, is1904) : number
      }
    }
  }

  const handler: XmlHandler = {
    open: (name, given) => {
      if (name === "row") {
        const next = given["r"] === undefined ? row + 1 : rowOf(given["r"])
        // Imports are continued by the number of a row.
        if (next <= row) throw invalid("has rows that are out of order")
        row = next
        cells = []
        column = -1
      } else if (name === "c") {
        attributes = given
        column = given["r"] === undefined ? column + 1 : columnOf(given["r"])
        text = ""
      }
      // `v` is a value, `t` a text within the cell.
      isText = name === "v" || name === "t"
    },
    text: (part) => {
      if (isText) text = joined(text, part)
    },
    close: (name) => {
      isText = false
      if (name === "row") rows.push({ row, cells })
      if (name !== "c" || text === "" || column < 0) return
      // One column more than the limit is enough to refuse the row.
      column = Math.min(column, maximumColumns)
      while (cells.length < column) cells.push(null)
      cells[column] = cellOf()
    }
  }
  return {
    handler,
    take: (): ReadonlyArray<Row> => {
      const complete = rows
      rows = []
      return complete
    }
  }
}

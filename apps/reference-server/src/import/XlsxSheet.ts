/**
 * Cells of a sheet from the events of its XML.
 */
import { csvText } from "@solar-sites/core"
import { type Cell, maximumColumns, type Row, tooManyColumns } from "./Table.ts"
import { dateText } from "./XlsxDates.ts"
import type { XmlHandler } from "./XlsxXml.ts"

/** Shared strings, and for each style of a cell whether it shows dates. */
interface Workbook {
  readonly strings: ReadonlyArray<string>
  readonly dateStyles: ReadonlyArray<boolean>
  readonly is1904: boolean
}

/** The index of a column from a reference such as `AB12`. */
const columnOf = (reference: string): number => {
  let column = 0
  for (const letter of reference.replace(/\d+$/, "")) column = column * 26 + letter.charCodeAt(0) - 64
  return column - 1
}

// Characters that XML cannot hold are written so.
export const unescaped = (text: string): string =>
  text.replace(/_x([0-9a-f]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

const textCell = (text: string): Cell => (text === "" ? null : csvText(text))

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
        return { error: text }
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
        row = Number(given["r"] ?? row + 1)
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
      if (isText) text += part
    },
    close: (name) => {
      isText = false
      if (name === "row") rows.push({ row, cells })
      if (name !== "c" || text === "" || column < 0) return
      if (column >= maximumColumns) {
        throw tooManyColumns(row)
      }
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

/**
 * Files of sites to import: a table as the model knows it, and its bytes in each form.
 */
import { workbook } from "../../../examples/imports/src/workbook.ts"

export type Cell = string | number | null

/**
 * Form of the file. `directive` has `sep=;` as its first line. The last ones hold no table that can
 * be read: an open quote at the end, no bytes, other encodings and formats, too many bytes.
 */
export const forms = [
  ...(["comma", "semicolon", "tab", "directive", "bom", "windows-1252", "workbook"] as const),
  ...(["unclosed", "empty", "utf-16", "old workbook", "damaged workbook", "large"] as const)
] as const

export type Form = (typeof forms)[number]

/** The first row is the header. A row may be shorter or longer than it. */
export interface Table {
  readonly form: Form
  readonly header: ReadonlyArray<string>
  readonly rows: ReadonlyArray<ReadonlyArray<Cell>>
}

const mebibyte = 1_048_576

const delimiters: Partial<Record<Form, string>> = { semicolon: ";", directive: ";", "windows-1252": ";", tab: "\t" }

const delimiterOf = (form: Form): string => delimiters[form] ?? ","

/** A comma in a number is a decimal sign, unless it is the delimiter. */
export const hasCommaDecimals = ({ form }: Pick<Table, "form">): boolean =>
  form === "workbook" || delimiterOf(form) !== ","

const csvOf = ({ form, header, rows }: Table): string => {
  const delimiter = delimiterOf(form)
  const cell = (value: Cell): string => {
    const text = value === null ? "" : String(value)
    const isPlain = !text.includes(delimiter) && !/["\r\n]/.test(text)
    return isPlain ? text : `"${text.replaceAll('"', '""')}"`
  }
  const end = form === "semicolon" ? "\r\n" : "\n"
  const lines = [header, ...rows].map((row) => `${row.map(cell).join(delimiter)}${end}`)
  return `${form === "directive" ? `sep=;${end}` : ""}${lines.join("")}`
}

/** The file as it is sent. */
export const bytesOf = (table: Table): Uint8Array<ArrayBuffer> => {
  switch (table.form) {
    case "workbook":
      return new Uint8Array(workbook([table.header, ...table.rows]))
    case "bom":
      return new TextEncoder().encode(`\uFEFF${csvOf(table)}`)
    case "windows-1252":
      return new Uint8Array(Buffer.from(csvOf(table), "latin1"))
    case "utf-16":
      return new Uint8Array(Buffer.from(`\uFEFF${csvOf(table)}`, "utf16le"))
    case "unclosed":
      return new TextEncoder().encode(`${csvOf(table)}"open`)
    case "empty":
      return new Uint8Array()
    case "old workbook":
      return Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0)
    case "damaged workbook":
      return new Uint8Array(workbook([table.header, ...table.rows]).subarray(0, 100))
    case "large":
      return new Uint8Array(16 * mebibyte + 1).fill(32)
    default:
      return new TextEncoder().encode(csvOf(table))
  }
}

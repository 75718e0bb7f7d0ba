/** A small workbook in the form of XLSX. */
import { crc32, deflateRawSync } from "node:zlib"

/** `days` is a date, as spreadsheets count. */
export type CellValue = string | number | boolean | null | { readonly days: number }

interface Part {
  readonly name: string
  readonly text: string
}

const header = ({ name, text }: Part, packed: Uint8Array): Buffer => {
  const bytes = Buffer.alloc(26)
  // Version, flags, method (deflate), time, date.
  for (const [index, value] of [20, 0, 8, 0, 0x21].entries()) bytes.writeUInt16LE(value, index * 2)
  bytes.writeUInt32LE(crc32(text), 10)
  bytes.writeUInt32LE(packed.byteLength, 14)
  bytes.writeUInt32LE(Buffer.byteLength(text), 18)
  bytes.writeUInt16LE(Buffer.byteLength(name), 22)
  return bytes
}

/** A ZIP archive. */
export const archive = (parts: ReadonlyArray<Part>): Buffer => {
  const files: Array<Buffer> = []
  const directory: Array<Buffer> = []
  let offset = 0
  for (const part of parts) {
    const packed = deflateRawSync(part.text)
    const fixed = header(part, packed)
    const file = Buffer.concat([Buffer.from("PK\x03\x04"), fixed, Buffer.from(part.name), packed])
    const place = Buffer.alloc(14)
    place.writeUInt32LE(offset, 10)
    const version = Buffer.from([20, 0])
    directory.push(Buffer.concat([Buffer.from("PK\x01\x02"), version, fixed, place, Buffer.from(part.name)]))
    files.push(file)
    offset += file.byteLength
  }
  const entries = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(parts.length, 4)
  end.writeUInt16LE(parts.length, 6)
  end.writeUInt32LE(entries.byteLength, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...files, entries, Buffer.from("PK\x05\x06"), end])
}

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")

const relation = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"

/** The first sheet has these rows; an empty one is left out. */
export const workbook = (
  rows: ReadonlyArray<ReadonlyArray<CellValue>>,
  { merged }: { readonly merged?: string } = {}
): Buffer => {
  const strings = [...new Set(rows.flat().filter((value) => typeof value === "string"))]
  const places = new Map(strings.map((text, index) => [text, index]))
  const cell = (value: CellValue, place: string): string => {
    if (value === null) return `<c r="${place}"/>`
    if (typeof value === "string") return `<c r="${place}" t="s"><v>${places.get(value)}</v></c>`
    if (typeof value === "boolean") return `<c r="${place}" t="b"><v>${Number(value)}</v></c>`
    return typeof value === "number"
      ? `<c r="${place}"><v>${value}</v></c>`
      : `<c r="${place}" s="1"><v>${value.days}</v></c>`
  }
  const row = (cells: ReadonlyArray<CellValue>, index: number): string => {
    const texts = cells.map((value, column) => cell(value, `${String.fromCharCode(65 + column)}${index + 1}`))
    return texts.length === 0 ? "" : `<row r="${index + 1}">${texts.join("")}</row>`
  }
  const merge = merged === undefined ? "" : `<mergeCells count="1"><mergeCell ref="${merged}"/></mergeCells>`
  const items = strings.map((text) => `<si><t xml:space="preserve">${escaped(text)}</t></si>`)
  return archive([
    {
      name: "xl/workbook.xml",
      text: `<workbook xmlns="${main}" xmlns:r="${relation}"><sheets><sheet name="Sites" sheetId="1" r:id="rId1"/></sheets></workbook>`
    },
    {
      name: "xl/_rels/workbook.xml.rels",
      text: `<Relationships><Relationship Id="rId1" Type="${relation}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`
    },
    { name: "xl/sharedStrings.xml", text: `<sst xmlns="${main}">${items.join("")}</sst>` },
    {
      name: "xl/styles.xml",
      text: `<styleSheet xmlns="${main}"><cellXfs><xf/><xf numFmtId="14"/></cellXfs></styleSheet>`
    },
    {
      name: "xl/worksheets/sheet1.xml",
      text: `<worksheet xmlns="${main}"><sheetData>${rows.map(row).join("")}</sheetData>${merge}</worksheet>`
    }
  ])
}

import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { files } from "../../../../examples/imports/src/files.ts"
import { archive, type CellValue, workbook } from "../../../../examples/imports/src/workbook.ts"
import { openFile } from "../../src/import/FileTable.ts"
import { type Row, UnreadableTable } from "../../src/import/Table.ts"
import { isDateCode } from "../../src/import/XlsxDates.ts"

const collect = async (steps: AsyncIterable<ReadonlyArray<Row>>): Promise<ReadonlyArray<Row>> => {
  const all: Array<Row> = []
  for await (const rows of steps) all.push(...rows)
  return all
}

describe("a file as a table", () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "solar-sites-"))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  let count = 0
  const open = async (content: string | Uint8Array) => {
    const path = join(folder, `${count++}`)
    await writeFile(path, content)
    return openFile(path)
  }
  /** From a file and from memory, which give the same. */
  const rowsOf = async (content: string | Uint8Array) => {
    const file = await open(content)
    const memory = await openFile(Buffer.from(content))
    expect([memory.digest, memory.delimiter]).toEqual([file.digest, file.delimiter])
    const rows = await collect(file.steps())
    expect(await collect(memory.steps())).toEqual(rows)
    return rows
  }
  const cellsOf = async (content: string | Uint8Array) => (await rowsOf(content)).map(({ cells }) => cells)
  const faultOf = (content: string | Uint8Array) =>
    rowsOf(content).then(
      () => undefined,
      (cause) => (cause instanceof UnreadableTable ? [cause.fault.row, cause.fault.code] : cause)
    )

  it("has the delimiter that its first line has most", async () => {
    for (const delimiter of [",", ";", "\t"]) {
      const cells = await cellsOf(`a${delimiter}"b;,\t""c"""${delimiter}\r\n1${delimiter}${delimiter}""\n`)
      expect(cells).toEqual([
        ["a", 'b;,\t"c"', null],
        ["1", null, ""]
      ])
    }
    expect((await open("a;b")).delimiter).toBe(";")
    expect((await open("a,b")).delimiter).toBe(",")
    expect(await rowsOf("sep=;\r\na,b;c\r\n1;2")).toEqual([
      { row: 1, cells: ["a,b", "c"] },
      { row: 2, cells: ["1", "2"] }
    ])
  })

  it("counts empty rows and leaves them out, with any line ends", async () => {
    expect(await rowsOf('a,b\r\n\r\n,\n"1\n2",3\r4,5')).toEqual([
      { row: 1, cells: ["a", "b"] },
      { row: 4, cells: ["1\n2", "3"] },
      { row: 5, cells: ["4", "5"] }
    ])
    expect(await rowsOf("")).toEqual([])
  })

  it("is UTF-8 with or without BOM, or Windows-1252, also across chunks", async () => {
    const long = "ü€".repeat(10_000)
    for (const bom of ["", "\ufeff"]) {
      expect(await cellsOf(`${bom}a\n${`${long}\n`.repeat(10)}`)).toEqual([
        ["a"],
        ...Array.from({ length: 10 }, () => [long])
      ])
    }
    expect(await cellsOf(Buffer.from("a,b\n\xfc\x80,\x93x\x94", "latin1"))).toEqual([
      ["a", "b"],
      ["ü€", "\u201cx\u201d"]
    ])
  })

  it("refuses other encodings and formats", async () => {
    expect(await faultOf(Buffer.from("\ufeffa,b", "utf16le"))).toEqual([1, "unsupported_encoding"])
    expect(await faultOf(Buffer.from("a,b", "utf16le"))).toEqual([1, "unsupported_encoding"])
    expect(await faultOf(Buffer.from("d0cf11e0a1b11ae1", "hex"))).toEqual([1, "unsupported_format"])
    expect(await faultOf('a,b\n1,2\n3,"4\n5,6')).toEqual([3, "malformed_csv"])
    expect(await faultOf(`a\n"${"x".repeat(1_100_000)}"`)).toEqual([2, "malformed_csv"])
    await expect(openFile(join(folder, "none"))).rejects.toThrow(/ENOENT/)
  })

  it("can be read twice, and has a digest of its bytes", async () => {
    const table = await open("a\n1")
    const read = () => collect(table.steps())
    expect(await read()).toEqual(await read())
    expect((await open("a\n1")).digest).toBe(table.digest)
    expect((await open("a\n2")).digest).not.toBe(table.digest)
  })

  it("is the first sheet of a workbook", async () => {
    expect(await rowsOf(files["workbook.xlsx"] ?? "")).toMatchObject([
      { row: 1, cells: { length: 8, 0: "External ID" } },
      { row: 3, cells: [1001, "Hall & Sons", 12.5, "kWp", "51,5", "2023-03-15", 3, "left out"] },
      { row: 4, cells: ["1002", "Barn <2>", "2.500,75", "KWP", null, null, true] },
      { row: 6, cells: ["1003", "Car port", 0.001, "GWp", -33.9, "2023-03-15T12:00:00", "none"] }
    ])
  })

  it("reads large workbooks in parts", async () => {
    const cells = Array.from({ length: 20_000 }, (_, index): ReadonlyArray<CellValue> => [`Site ${index}`, index])
    const rows = await rowsOf(workbook(cells))
    expect(rows).toHaveLength(20_000)
    expect(rows.at(-1)).toEqual({ row: 20_000, cells: ["Site 19999", 19_999] })
  })

  const sheetOf = (xml: string, strings = "") =>
    archive([
      { name: "xl/workbook.xml", text: '<x:workbook xmlns:x="x"><x:sheet r:id="a"/></x:workbook>' },
      { name: "xl/_rels/workbook.xml.rels", text: '<R><Relationship Id="a" Target="/xl/s.xml"/></R>' },
      { name: "xl/sharedStrings.xml", text: `<sst>${strings}</sst>` },
      { name: "xl/s.xml", text: xml }
    ])

  it("reads other forms of cells", async () => {
    const xml = `<x:w xmlns:x="x"><x:row><x:c t="inlineStr"><x:is><x:r><x:t>a</x:t></x:r><x:r><x:t>b</x:t></x:r></x:is></x:c>
      <x:c t="e"><x:v>#N/A</x:v></x:c><x:c t="s"><x:v>0</x:v></x:c><x:c t="str"><x:f>1+1</x:f><x:v>'=2</x:v></x:c></x:row></x:w>`
    const strings = "<si><r><t>c_x0041_</t></r><rPh><t>no</t></rPh></si>"
    expect(await cellsOf(sheetOf(xml, strings))).toEqual([["ab", { error: "#N/A" }, "cA", "'=2"]])
  })

  it("tells formats of dates from others", () => {
    const codes = ["yyyy-mm-dd", '"on" d', "[$-409]h:mm", "0.00", '"day" 0', "[Red]0", "\\d0", "0 [h", '0 "d']
    expect(codes.filter(isDateCode)).toEqual(codes.slice(0, 3))
  })

  it("refuses broken archives and those that grow", async () => {
    const whole = workbook([["a"]])
    const bomb = sheetOf(`<w><row><c t="str"><v>${"x".repeat(5_000_000)}</v></c></row></w>`)
    const entities = sheetOf('<!DOCTYPE w [<!ENTITY a "aaaa">]><w><row><c t="str"><v>&a;</v></c></row></w>')
    const wide = sheetOf('<w><row><c r="XFD1"><v>1</v></c></row></w>')
    const lying = Buffer.from(bomb)
    // The directory declares fewer bytes than the entry has.
    const at = lying.lastIndexOf("xl/s.xml") - 22
    lying.writeUInt32LE(1_000, at)
    for (const [content, code] of [
      [whole.subarray(0, whole.byteLength - 30), "malformed_xlsx"],
      [archive([{ name: "a.txt", text: "a" }]), "malformed_xlsx"],
      [sheetOf("<w><row>"), "malformed_xlsx"],
      [entities, "malformed_xlsx"],
      [lying, "malformed_xlsx"],
      [bomb, "too_large"],
      [wide, "too_many_columns"]
    ] as const) {
      expect(await faultOf(content)).toEqual([1, code])
    }
    // Declares 200 MiB, more than a server reads of content in memory.
    const large = Buffer.from(bomb)
    large.writeUInt32LE(200 * 1_048_576, at)
    const { steps } = await openFile(large)
    await expect(collect(steps())).rejects.toMatchObject({ fault: { code: "too_large" } })
  })
})

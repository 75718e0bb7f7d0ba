import { describe, expect, it } from "vitest"
import { cellOf, columnOf, corrected, readCells, toFile } from "../../src/imports/FileCells.ts"

const text = [
  'importFaults;Site;"Capacity; kWp";Remarks;Remarks',
  ';"Barn ""A""";480;"two\r\nlines";',
  '"Site: is required; more";;"1;2";\'=1+1;""',
  ";Short"
].join("\r\n")
const cells = readCells(`\ufeff${text}\r\n`)

describe("the cells of a marked file", () => {
  it("are found by row and column, without quotes and guards", () => {
    expect(cells.headers).toEqual(["importFaults", "Site", "Capacity; kWp", "Remarks", "Remarks"])
    expect([2, 3, 4].map((row) => cellOf(cells, row, 1))).toEqual(['Barn "A"', "", "Short"])
    expect(cellOf(cells, 2, 3)).toBe("two\r\nlines")
    expect(cellOf(cells, 3, 2)).toBe("1;2")
    expect(cellOf(cells, 3, 3)).toBe("=1+1")
    expect([cellOf(cells, 4, 2), cellOf(cells, 9, 1)]).toEqual(["", ""])
  })

  it("have a column where one header names it", () => {
    expect(columnOf(cells, "Capacity; kWp")).toBe(2)
    expect(columnOf(cells, "Remarks")).toBeUndefined()
    expect(columnOf(cells, "importFaults")).toBeUndefined()
    expect(columnOf(cells, "Unknown")).toBeUndefined()
    expect(columnOf(cells, null)).toBeUndefined()
  })

  it("are replaced, and nothing else", async () => {
    const after = corrected(cells, [
      { row: 3, column: 2, value: "3,5" },
      { row: 3, column: 1, value: 'Roof; "B"' },
      { row: 9, column: 1, value: "nowhere" }
    ])
    expect(after.text).toBe(`${text.replace('more";;"1;2"', 'more";"Roof; ""B""";"3,5"')}\r\n`)
    expect([cellOf(after, 3, 1), cellOf(after, 3, 2), cellOf(after, 4, 1)]).toEqual(['Roof; "B"', "3,5", "Short"])
    expect(corrected(cells, [])).toEqual(cells)
    const file = toFile(after, "Sites.csv")
    expect([file.name, new TextDecoder("utf-8", { ignoreBOM: true }).decode(await file.arrayBuffer())]).toEqual([
      "Sites.csv",
      `\ufeff${after.text}`
    ])
  })

  it("are found in a file with commas and one without rows", () => {
    const commas = readCells("importFaults,Site\r\n,Roof\r\n")
    expect([commas.delimiter, cellOf(commas, 2, 1)]).toEqual([",", "Roof"])
    expect(readCells("importFaults,Site").starts).toEqual([0])
  })
})

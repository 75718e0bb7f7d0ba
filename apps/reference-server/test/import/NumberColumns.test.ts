import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { numberColumns } from "../../src/import/NumberColumns.ts"
import { makeImporting } from "./Importing.ts"

describe("the numbers of a column between commas", () => {
  const shown = async (...cells: ReadonlyArray<string | null>) => {
    async function* steps() {
      yield [
        { row: 1, cells: ["header"] },
        ...cells.slice(0, 2).map((cell, index) => ({ row: index + 2, cells: [cell] }))
      ]
      yield cells.slice(2).map((cell, index) => ({ row: index + 4, cells: [cell] }))
    }
    return (await numberColumns(steps()))[0]
  }

  it.each([
    [["12,5"], "commas"],
    [["12,5", "7", null, "1,234", " ", "1.234,5", "2 500"], "commas"],
    [["1,234", "12,5"], "commas"],
    [["12,5", "1.234"], "commas"],
    [["1,234", "2,345"], "either"],
    [["12,5", "1.5"], "points"],
    [["1,234.5", "12,5"], "points"],
    [["12,5", "1,234,567"], "points"],
    [["12,5", "many"], "points"],
    [["12,5", "9".repeat(100)], "points"],
    [["1", null, "2.5"], "points"],
    [["1", "2"], "points"],
    [[], "points"]
  ] as const)("%j are %s", async (cells, column) => {
    expect(await shown(...cells)).toBe(column)
  })

  it("are told for each column, and not beyond the header", async () => {
    async function* steps() {
      yield [
        { row: 1, cells: ["a", "b"] },
        { row: 2, cells: ["1,5", "1.5", "1,5"] }
      ]
    }
    expect(await numberColumns(steps())).toEqual(["commas", "points"])
  })
})

describe("an import of quoted numbers", () => {
  let importing: Awaited<ReturnType<typeof makeImporting>>
  beforeAll(async () => {
    importing = await makeImporting()
  })
  afterAll(() => importing.close())

  const outcomeOf = async (...lines: ReadonlyArray<string>) => {
    const { importWith, sites } = await importing.join()
    const { faults } = await importWith()([header, ...lines.map((line) => `${line},kW`)].join("\n"))
    if (faults.length > 0) return faults.map(({ code, column, row }) => `${row} ${column} ${code}`)
    return (await sites()).map(({ capacity, latitude, longitude }) => [capacity, latitude, longitude])
  }
  const header = "siteName,capacity,latitude,longitude,unit"

  it("reads decimal commas where the whole column reads that way", async () => {
    const lines = ['A,"12,5","48,137",11.575', 'B,"1,234","51,5",-0.125', "C,7,48,1"]
    expect(await outcomeOf(...lines)).toEqual([
      [12.5, 48.137, 11.575],
      [1.234, 51.5, -0.125],
      [7, 48, 1]
    ])
  })

  it("reads a coordinate with three digits behind a comma, and no such capacity", async () => {
    expect(await outcomeOf('A,1,"48,137","11,575"')).toEqual([[1, 48.137, 11.575]])
    expect(await outcomeOf('A,"1,234",1,1')).toEqual(["2 capacity ambiguous_number"])
  })

  it("refuses commas where another cell has a decimal point, and a point that may separate thousands", async () => {
    expect(await outcomeOf('A,"12,5",1,1', "B,1.5,1,1")).toEqual(["2 capacity ambiguous_number"])
    expect(await outcomeOf('A,"12,5",1,1', "B,1.234,1,1")).toEqual(["3 capacity ambiguous_number"])
  })
})

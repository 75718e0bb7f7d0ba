import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { files } from "../../../../examples/imports/src/files.ts"
import { workbook } from "../../../../examples/imports/src/workbook.ts"
import { writeMarkedFile } from "../../src/import/MarkedFile.ts"
import type { ImportFault } from "../../src/import/Table.ts"
import { makeImporting } from "./Importing.ts"

const markedOf = async (content: string | Uint8Array, faults: ReadonlyArray<ImportFault>): Promise<string> => {
  const parts: Array<string> = []
  const write = (part: string) => Effect.sync(() => void parts.push(part))
  await Effect.runPromise(writeMarkedFile(Buffer.from(content), faults, write))
  return parts.join("")
}

const fault = (row: number, column: string | null, detail: string): ImportFault => ({ row, column, code: "c", detail })

describe("a file with its faults", () => {
  let importing: Awaited<ReturnType<typeof makeImporting>>
  beforeAll(async () => {
    importing = await makeImporting()
  })
  afterAll(() => importing.close())

  it("has them in its first column, and what it had in the others", async () => {
    const content = 'a;b\n\n1;\'=2\n;"x;y""\n";more;cells\n'
    const marked = await markedOf(content, [fault(3, "a", "is odd"), fault(3, null, "is =bad"), fault(4, "b", "x;y")])
    expect(marked.split("\r\n")).toEqual([
      "\ufeffimportFaults;a;b",
      '"a: is odd; is =bad";1;\'=2',
      '"b: x;y";;"x;y""\n";more;cells',
      ""
    ])
    const again = await markedOf(marked, [fault(2, "a", "is odd still")])
    expect(again.split("\r\n").slice(0, 2)).toEqual(["\ufeffimportFaults;a;b", "a: is odd still;1;'=2"])
  })

  it("names the first faults of a row that has many", async () => {
    const many = Array.from({ length: 200 }, (_, index) => fault(2, `${index} ${"x".repeat(190)}`, "is odd"))
    const [, row = ""] = (await markedOf("a,b\n1,2", many)).split("\r\n")
    expect([row.startsWith("0 xxx"), row.length < 1_300, row.endsWith(",1,2")]).toEqual([true, true, true])
  })

  it("can be imported when it is corrected, with the same values", async () => {
    const cells = [
      ["Site name", "Capacity (kWp)", "Latitude"],
      ["A", 1.234, 48.137],
      ["B", "many", -1e-7]
    ]
    const { importWith, sites } = await importing.join()
    const load = importWith()
    const { faults } = await load(workbook(cells))
    expect(faults.map(({ row }) => row)).toContain(3)
    const marked = await markedOf(workbook(cells), faults)
    expect(marked).toContain("Capacity (kWp): must be a number")
    expect(await load(marked.replace(";many;", ";12;"))).toMatchObject({ created: 2, faultCount: 0 })
    expect((await sites()).map(({ capacity, latitude }) => [capacity, latitude])).toEqual([
      [1.234, 48.137],
      [12, -1e-7]
    ])
  })

  it("names the faults of the examples, and has the same ones", async () => {
    const { importWith } = await importing.join()
    const load = importWith()
    const content = files["faults.csv"] ?? ""
    const { faults } = await load(content)
    const marked = await markedOf(content, faults)
    expect(marked).toContain('"unit: must be')
    const again = await load(marked)
    expect(again.faults).toEqual(faults)
  })
})

import { describe, expect, it } from "vitest"
import { openFile } from "../../src/import/FileTable.ts"
import { maximumCell, maximumColumns, maximumHeader, maximumRows } from "../../src/import/TableLimits.ts"
import { inSteps } from "../../src/import/TableSteps.ts"
import { attacks, sheetOf } from "./Attacks.ts"

/** The number of rows, or the fault. */
const outcomeOf = async (content: string | Uint8Array): Promise<unknown> => {
  let count = 0
  try {
    for await (const rows of (await openFile(Buffer.from(content))).steps()) count += rows.length
    return count
  } catch (cause) {
    const { code, column, row } = Object(Object(cause).fault)
    return [row, column, code]
  }
}

const x = (length: number): string => "x".repeat(length)
const wide = (count: number): string => Array.from({ length: count }, () => "c").join()

describe("the limits of a file", () => {
  it.each([
    ["columns", `${wide(maximumColumns)},,,\n`, 1],
    ["columns beyond", `a\n${wide(maximumColumns + 1)}\n`, [2, null, "too_many_columns"]],
    ["characters of a header", x(maximumHeader), 1],
    ["characters of a header beyond", x(maximumHeader + 1), [1, null, "too_long"]],
    ["characters of a cell", `a,b\n,${x(maximumCell)}`, 2],
    ["characters of a cell beyond", `a,b\n,${x(maximumCell + 1)}`, [2, "b", "too_long"]],
    ["rows beyond", `a\n${"\n".repeat(maximumRows - 1)}1`, [maximumRows + 1, null, "too_many_rows"]]
  ])("hold for %s in CSV", async (_, content, outcome) => {
    expect(await outcomeOf(content)).toEqual(outcome)
  })

  const cell = (reference: string, text = "1") => `<w><row><c r="${reference}"><v>${text}</v></c></row></w>`
  const text = (value: string) => `<c t="str"><v>${value}</v></c>`
  const malformed = [1, null, "malformed_xlsx"]

  it.each([
    ["a reference", sheetOf(cell("A1234567")), 1],
    ["a reference with many digits", sheetOf(cell("A12345678")), malformed],
    ["a reference with many letters", sheetOf(cell("AAAA1")), malformed],
    ["a reference without a number", sheetOf(cell("A")), malformed],
    ["a column beyond", sheetOf(cell("XFD1")), [1, null, "too_many_columns"]],
    ["a row", sheetOf(`<w><row r="1000000">${text("a")}</row></w>`), 1],
    ["a row beyond", sheetOf(`<w><row r="1000001">${text("a")}</row></w>`), [maximumRows + 1, null, "too_many_rows"]],
    ["a row with many digits", sheetOf('<w><row r="12345678"/></w>'), malformed],
    ["rows out of order", sheetOf('<w><row r="2"/><row r="1"/></w>'), malformed],
    ["a cell", sheetOf(`<w><row>${text("a")}</row><row>${text(x(maximumCell))}</row></w>`), 2],
    ["a cell beyond", sheetOf(`<w><row>${text("a")}</row><row>${text(x(100_000))}</row></w>`), [2, "a", "too_long"]],
    [
      "a cell in parts",
      sheetOf(`<w><row>${text("a")}</row><row><c t="inlineStr">${`<t>${x(1_000)}</t>`.repeat(40)}</c></row></w>`),
      [2, "a", "too_long"]
    ],
    [
      "a shared text",
      sheetOf(
        `<w><row>${text("a")}</row><row><c t="s"><v>0</v></c></row></w>`,
        `<si>${`<t>${x(1_000)}</t>`.repeat(40)}</si>`
      ),
      [2, "a", "too_long"]
    ],
    ["nesting", sheetOf(`<w>${"<a>".repeat(31)}${"</a>".repeat(31)}</w>`), 0],
    ["nesting beyond", sheetOf(`<w>${"<a>".repeat(32)}${"</a>".repeat(32)}</w>`), malformed],
    ["shared texts that many cells have", repeating(), [1, null, "too_large"]]
  ])("hold for %s in a workbook", async (_, content, outcome) => {
    expect(await outcomeOf(content)).toEqual(outcome)
  })

  /** Cells with 35 times the characters that a sheet may have, in a file of kilobytes. */
  function repeating(): Buffer {
    const cells = `<row>${'<c t="s"><v>0</v></c>'.repeat(31)}</row>`
    return sheetOf(
      `<w><row>${text("a").repeat(31)}</row>${cells.repeat(4_000)}</w>`,
      `<si><t>${x(maximumCell)}</t></si>`
    )
  }

  it("refuse the workbooks and texts that take quadratic time", async () => {
    for (const [name, content] of Object.entries(attacks)) {
      expect([name, await outcomeOf(content())]).toEqual([name, expect.arrayContaining([expect.any(Number)])])
    }
  })

  it("bound a step", async () => {
    async function* rows() {
      for (let row = 1; row <= 10; row++) yield { row, cells: row === 1 ? ["a"] : Array(32).fill(x(maximumCell - 1)) }
    }
    const sizes = []
    for await (const step of inSteps(rows(), 2 ** 30)) sizes.push(step.length)
    expect(sizes).toEqual([3, 2, 2, 2, 1])
  })
})

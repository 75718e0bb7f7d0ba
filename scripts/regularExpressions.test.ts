import { describe, expect, it } from "vitest"
import type { Exception } from "./regularExpressions.table.ts"
import { faultsOf } from "./regularExpressions.ts"

const path = "packages/core/src/input/Text.ts"
const judge = (text: string, ...exceptions: ReadonlyArray<Exception>) => faultsOf(new Map([[path, text]]), exceptions)

describe("the check of regular expressions", () => {
  it.each([
    String.raw`/\d+$/`,
    String.raw`/\(.*\)|\[.*\]/`,
    String.raw`/\[[^\]]*\]/g`,
    "/^(a+)+$/",
    'new RegExp("x*$")',
    `RegExp(\`\${spaces}x\`, "u")`
  ])("refuses %s, whose time grows faster than its input", (written) => {
    const [fault, ...others] = judge(`const spaces = "\\\\s*"\nexport const found = ${written}`)
    expect(others).toEqual([])
    expect(fault?.startsWith(`${path}:2 ${written} takes `), fault).toBe(true)
    expect(fault).toMatch(/ takes (?:polynomial|exponential) time in the length of its input: /)
  })

  it.each([
    String.raw`/^\d+$/`,
    String.raw`/^[A-Z]{1,3}\d{1,7}$/`,
    String.raw`/[",\r\n]/`,
    `new RegExp(\`^\${spaces}a\${spaces}$\`)`,
    "text.replace('/d+$/', '')"
  ])("accepts %s", (written) => {
    expect(judge(`const spaces = "\\\\s*"\nexport const found = ${written}`)).toEqual([])
  })

  it("refuses an expression that the text of the module does not show", () => {
    expect(judge('import { part } from "./Part.ts"\nexport const found = new RegExp(part)')).toEqual([
      `${path}:2 new RegExp(part) is not a constant, so that its time cannot be judged: write it as a literal`
    ])
  })

  it("takes exceptions by file and start, and refuses those that no expression needs", () => {
    const text = String.raw`export const found = /\s+$/`
    const exception = { file: path, start: String.raw`/\s+`, reason: "short" }
    expect(judge(text, exception)).toEqual([])
    expect(judge(text, { ...exception, file: "packages/core/src/index.ts" })).toHaveLength(2)
    expect(judge("export const found = 1", exception)).toEqual([
      `${path} has no expression ${exception.start}: remove the exception`
    ])
  })

  it("leaves tests alone", () => {
    expect(faultsOf(new Map([["packages/core/test/Text.test.ts", String.raw`/\s+$/`]]), [])).toEqual([])
  })
})

import { describe, expect, it } from "vitest"
import { faultsOf } from "./comments.ts"

const judge = (text: string, path = "packages/core/src/sites/Sites.ts") => faultsOf(new Map([[path, text]]))

describe("words in comments", () => {
  it.each([
    "// For whoever calls it.",
    "const a = 1 // Nobody waits.",
    "/**\n * Text.\n * @returns what is stored\n */",
    "const view = <p>{/* whose picture */}</p>",
    "/** The answer is what\n * is stored. */"
  ])("refuses %j", (text) => {
    const [fault, ...others] = judge(text, "apps/console/src/View.tsx")
    expect(others).toEqual([])
    expect(fault).toMatch(/^apps\/console\/src\/View\.tsx:\d says "(whoever|Nobody|what is|whose)" in a comment: name /)
  })

  it("names the line of each", () => {
    expect(judge("const a = 1\n/**\n * Somebody.\n * Whom?\n */")).toEqual([
      'packages/core/src/sites/Sites.ts:3 says "Somebody" in a comment: name the thing instead',
      'packages/core/src/sites/Sites.ts:4 says "Whom" in a comment: name the thing instead'
    ])
  })

  it.each(["/** Of the session. */", "// Those of one instant.", "/**\n * That of the user,\n * if any.\n */"])(
    "refuses %j, which has no subject",
    (text) => {
      expect(judge(text)).toEqual([
        expect.stringMatching(/^packages\/core\/src\/sites\/Sites.ts:1 begins a comment with "(Of|Those|That of)": /)
      ])
    }
  )

  it("accepts the same words in code and in strings, and other words", () => {
    expect(judge('const nobody = "somebody"\nconst b = `// whoever`\n// What isolates: whosoever')).toEqual([])
  })

  it("leaves tests alone", () => {
    expect(judge("// nobody", "packages/core/test/sites/Sites.test.ts")).toEqual([])
  })
})

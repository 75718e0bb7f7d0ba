import { describe, expect, it } from "vitest"
import { faultsOf } from "./circles.ts"

const judge = (imports: Record<string, ReadonlyArray<string>>) =>
  faultsOf(
    new Map(
      Object.entries(imports).map(([path, imported]) => [path, imported.map((one) => `import "${one}"`).join("\n")])
    )
  )

describe("circles between files", () => {
  it("accepts two paths to one file", () => {
    expect(
      judge({ "a.ts": ["./b.ts", "./c.ts"], "b.ts": ["./d.ts"], "c.ts": ["./d.ts", "effect"], "d.ts": [] })
    ).toEqual([])
  })

  it("names the files of each circle, without those that only lead to it", () => {
    const imports = {
      "main.ts": ["./deep/a.ts", "./x.ts"],
      "deep/a.ts": ["./b.ts"],
      "deep/b.ts": ["../c.ts"],
      "c.ts": ["./deep/a.ts", "./leaf.ts"],
      "leaf.ts": [],
      "x.ts": ["./y.ts"],
      "y.ts": ["./x.ts"]
    }
    expect(judge(imports)).toEqual([
      "files import each other in a circle: c.ts, deep/a.ts, deep/b.ts",
      "files import each other in a circle: x.ts, y.ts"
    ])
  })

  it("joins circles that share a file", () => {
    expect(judge({ "a.ts": ["./b.ts"], "b.ts": ["./a.ts", "./c.ts"], "c.ts": ["./b.ts"] })).toEqual([
      "files import each other in a circle: a.ts, b.ts, c.ts"
    ])
  })

  it("counts imports of types", () => {
    const files = new Map([
      ["a.ts", 'import type { B } from "./b.ts"\nexport type A = B'],
      ["b.tsx", ""],
      ["b.ts", 'export type B = import("./a.ts").A']
    ])
    expect(faultsOf(files)).toEqual(["files import each other in a circle: a.ts, b.ts"])
  })
})

import { randomBytes } from "node:crypto"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { publicProjects } from "./run.ts"
import { budgets } from "./sizes.table.ts"
import { faultsOf, lineOf, type Size, sizesOfConsole } from "./sizes.ts"

const size = (javascript: number, packed?: number, budget?: Size["budget"]): Size => ({
  name: "packages/some",
  measured: packed === undefined ? { javascript } : { javascript, packed },
  budget
})

describe("the budget of sizes", () => {
  it("has a row for every public package, and no others", () => {
    expect(Object.keys(budgets).sort()).toEqual(publicProjects)
  })

  it("names every figure above its limit, and no other", () => {
    const budget = { javascript: 10, packed: 20 }
    expect(faultsOf([size(10, 20, budget), size(3, 21, budget), size(10.06, 1, budget)])).toEqual([
      "packages/some: 21.0 kB packed are more than the 20 kB it may have",
      "packages/some: 10.1 kB javascript are more than the 10 kB it may have"
    ])
  })

  it("requires a limit for public packages, and none for applications", () => {
    expect(faultsOf([size(10, 20), size(10)])).toEqual(["packages/some: has no row in sizes.table.ts"])
  })

  it("counts the scripts that each language of the console names", () => {
    const folder = mkdtempSync(join(tmpdir(), "solar-sites-console-"))
    for (const language of ["de", "en"]) {
      mkdirSync(join(folder, language, "assets"), { recursive: true })
      writeFileSync(
        join(folder, language, "assets", "start-a_B-1.js"),
        randomBytes(language === "de" ? 200_000 : 2_000)
      )
      writeFileSync(join(folder, language, "assets", "later-a.js"), randomBytes(100_000))
      writeFileSync(join(folder, language, "index.html"), '<script src="/assets/start-a_B-1.js"></script>')
    }
    const faults = faultsOf(sizesOfConsole(folder))
    rmSync(folder, { recursive: true })
    expect(faults).toEqual(["first page, de: 195.4 kB gzipped are more than the 180 kB it may have"])
  })

  it("is printed with the used share", () => {
    expect(lineOf(size(7.51, 20, { javascript: 10, packed: 20 }))).toBe(
      "packages/some                    7.5 kB javascript  76%    20.0 kB packed 100%"
    )
    expect(lineOf(size(1))).toBe("packages/some                    1.0 kB javascript")
  })
})

import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { applyEdit, type Edit, editsOf, recipesOf } from "./recipes.ts"
import { readRepository } from "./repository.ts"
import { copyWorkspace, execute } from "./workspaceCopy.ts"

const [field = [], operation = []] = recipesOf("docs/architecture.md")

const pathsOf = (recipe: ReadonlyArray<Edit>) => [...new Set(recipe.map(({ path }) => path))]

// The type check takes minutes on a busy machine.
describe("the recipes for a field of a site and for an operation", () => {
  let copy: string
  const bin = resolve("node_modules/.bin")

  beforeAll(() => {
    copy = mkdtempSync(join(tmpdir(), "solar-sites-recipe-"))
    const projects = globSync("{packages,apps,examples}/*/package.json").map((path) =>
      path.replace(/.package\.json$/, "")
    )
    copyWorkspace(copy, [...readRepository().keys()], [...projects, "benchmarks", "proof", "docs"])
    // It has the empty database that programs copy.
    const cache = "packages/adapter-postgres/node_modules/.cache"
    mkdirSync(cache, { recursive: true })
    symlinkSync(resolve(cache), join(copy, cache), "junction")
    for (const edit of [...field, ...operation]) {
      const path = join(copy, edit.path)
      writeFileSync(path, edit.before === "" ? `${edit.after}\n` : applyEdit(readFileSync(path, "utf8"), edit))
    }
  })

  afterAll(() => rmSync(copy, { recursive: true, force: true }))

  it("touch at most six files of the product, the texts, and two files of the benchmarks", () => {
    const files = pathsOf(field)
    const others = /^(benchmarks|apps\/console\/src\/texts)\//
    expect(files.filter((path) => !others.test(path)).length).toBeLessThanOrEqual(6)
    expect(files.filter((path) => path.startsWith("benchmarks/")).length).toBeLessThanOrEqual(2)
    expect(pathsOf(operation).filter((path) => path.includes("/src/")).length).toBe(5)
  })

  /** Runs a program of the copy that has a database, which V8 would optimise for longer than it runs. */
  const executeOnDatabase = (program: string) => {
    const flags = ["--conditions=@solar-sites/source", "--liftoff-only"]
    return execute(join(bin, "node"), [...flags, program, "notes", mkdtempSync(join(copy, "data-"))], copy)
  }

  // One program: `tsc -b` reads Effect once per project, and a program of the console alone once more. Tests in a browser
  // have other types, and are left out.
  it("pass the type check of all sources, and of all tests but those in a browser", async () => {
    // Not all benchmarks are checked.
    const benchmarks: ReadonlyArray<string> = JSON.parse(readFileSync("benchmarks/tsconfig.json", "utf8")).include
    const rest = ["packages", "apps/reference-server", "proof", "docs", "examples", "scripts", "*.ts"]
    const program = {
      extends: "./tsconfig.test.json",
      compilerOptions: {
        incremental: false,
        tsBuildInfoFile: null,
        module: "preserve",
        moduleResolution: "bundler",
        moduleDetection: "force",
        // The options of the examples.
        experimentalDecorators: true,
        noPropertyAccessFromIndexSignature: false,
        // Those of the console.
        lib: ["es2024", "esnext.disposable", "dom", "dom.iterable", "dom.asynciterable"],
        jsx: "react-jsx",
        types: ["node", "./apps/console/node_modules/vite/client"]
      },
      include: [...rest, "apps/console/src", ...benchmarks.map((path) => join("benchmarks", path))],
      exclude: ["**/node_modules", "**/dist", "scripts/tarballs/consumer", "examples/nextjs"]
    }
    writeFileSync(join(copy, "tsconfig.recipe.json"), JSON.stringify(program))
    const check = execute(join(bin, "tsc"), ["-p", "tsconfig.recipe.json", "--singleThreaded"], copy)
    const faults = await check.then(({ stdout }) => stdout, String)
    // Bodies that are streams are of Node alone, and not in the types of browsers.
    const isOfNode = (line: string) =>
      /'duplex' does not exist in type 'RequestInit'|'from' does not exist on/.test(line)
    expect(faults.split("\n").filter((line) => line.includes(": error ") && !isOfNode(line))).toEqual([])
  })

  it("serve the operation in the library and over HTTP, as the tests of all operations show", async () => {
    const tests = ["Operations", "Scopes", "contract/Answers"].map((name) => `packages/http-node/test/${name}.test.ts`)
    const run = ["run", "--project=http-node", "-t", "sites.capacity|the examples of the document|has a row", ...tests]
    const { stdout } = await execute(join(bin, "vitest"), [...run, "--maxWorkers=1", "--reporter=verbose"], copy)
    expect(stdout).toContain("give the same result: the example of sites.capacity 1")
    expect(stdout).toContain("sites.capacity needs exactly")
  })

  it("pass the conformance of sites and a round trip, in memory and on embedded Postgres", async () => {
    await executeOnDatabase("packages/adapter-postgres/test/SiteFieldProgram.ts")
  })

  it("keep the field in archives, which are read as well when they were written before it", async () => {
    await executeOnDatabase("apps/reference-server/test/archive/SiteFieldProgram.ts")
  })

  // Each has more than a hundred requests, and the first of them tells whether the model knows the field.
  it("pass two sequences of the model", async () => {
    const model = ["proof/src/main.ts", "model", "--on", "memory", "--runs", "2", "--seed", "2026"]
    await execute(join(bin, "node"), ["--conditions=@solar-sites/source", ...model], copy)
  })
})

describe("an edit of a recipe", () => {
  const diff = "+++ a.ts\n one\n+two\n@@\n-three\n+3\n+++ b.ts\n+new\n"

  it("is read from a diff", () => {
    expect(editsOf(diff)).toEqual([
      { path: "a.ts", before: "one", after: "one\ntwo" },
      { path: "a.ts", before: "three", after: "3" },
      { path: "b.ts", before: "", after: "new" }
    ])
  })

  it("changes the lines that it names", () => {
    expect(editsOf(diff).slice(0, 2).reduce(applyEdit, "one\nthree\n")).toBe("one\ntwo\n3\n")
  })

  it("refuses lines that the file does not hold once", () => {
    const edit = { path: "a.ts", before: "one", after: "1" }
    expect(() => applyEdit("none\n", edit)).toThrow("a.ts holds these lines of the recipe nowhere:\none")
    expect(() => applyEdit("one\ntwo\none\n", edit)).toThrow("twice")
  })
})

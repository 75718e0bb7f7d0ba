/**
 * Prints the structure of the workspace at two commits:
 * `node scripts/structure/measure.ts [before] [after]`. Without arguments it compares the commit
 * before the redesign with HEAD.
 */
import { execFileSync } from "node:child_process"
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { blocksOf } from "../blocks.ts"
import { circlesOf, importGraphOf } from "../circles.ts"
import { editsOf } from "../recipes.ts"
import { isTypeScript } from "../sources.ts"
import { execute, linkInstalled } from "../workspaceCopy.ts"

const packages = [
  ...["core", "adapter-postgres", "adapter-filesystem", "adapter-s3", "adapter-redis", "http-node", "testing"].map(
    (name) => `packages/${name}`
  ),
  "apps/reference-server",
  "apps/console",
  "benchmarks"
]

/** Files that a field of a site touched before there was a recipe, as counted by hand. */
const countedBefore = "13 + 12"

interface Structure {
  readonly rows: ReadonlyArray<readonly [files: number, lines: number, median: number, longest: number]>
  readonly circles: number
  readonly recipe: string
  readonly path: ReadonlyArray<string>
}

const linesOf = (text: string) => text.trimEnd().split("\n").length

const recipeOf = (workspace: string): string => {
  const page = readFileSync(join(workspace, "docs/architecture.md"), "utf8")
  // The first diff of the page is for a field.
  const edits = editsOf(blocksOf("", page).find(({ language }) => language === "diff")?.code ?? "")
  const paths = [...new Set(edits.map(({ path }) => path))]
  const benchmarks = paths.filter((path) => path.startsWith("benchmarks/")).length
  return paths.length === 0 ? countedBefore : `${paths.length - benchmarks} + ${benchmarks}`
}

const structureOf = async (workspace: string): Promise<Structure> => {
  const sources = new Map<string, string>()
  for (const path of globSync("{packages,apps}/*/src/**/*.*", { cwd: workspace })
    .concat(globSync("benchmarks/**/*.*", { cwd: workspace }))
    .filter((path) => isTypeScript(path) && !path.includes("node_modules") && !path.startsWith("benchmarks/test/")))
    sources.set(path.replaceAll("\\", "/"), readFileSync(join(workspace, path), "utf8"))
  const rows = packages.map((name) => {
    const lengths = [...sources]
      .filter(([path]) => path.startsWith(`${name}/`))
      .map(([, text]) => linesOf(text))
      .toSorted((a, b) => a - b)
    const lines = lengths.reduce((sum, length) => sum + length, 0)
    return [lengths.length, lines, lengths[Math.floor(lengths.length / 2)] ?? 0, lengths.at(-1) ?? 0] as const
  })
  const program = resolve("scripts/structure/callPath.ts")
  const node = resolve("node_modules/.bin/node")
  const { stdout } = await execute(node, ["--conditions=@solar-sites/source", program, workspace], ".")
  return {
    rows,
    circles: circlesOf(importGraphOf(sources)).length,
    recipe: recipeOf(workspace),
    path: JSON.parse(stdout)
  }
}

/** Structure at a commit; its tree is written to a folder for that time. */
const structureAt = async (commit: string): Promise<Structure> => {
  const folder = mkdtempSync(join(tmpdir(), "solar-sites-structure-"))
  try {
    const tree = join(folder, "workspace")
    mkdirSync(tree)
    const archive = execFileSync("git", ["archive", commit], { maxBuffer: 1024 * 1024 * 1024 })
    execFileSync("tar", ["-x", "-C", tree], { input: archive })
    linkInstalled(
      tree,
      packages.filter((project) => existsSync(join(tree, project)))
    )
    return await structureOf(tree)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const [before = "a5cd509", after = "HEAD"] = process.argv.slice(2)
const [old, now] = [await structureAt(before), await structureAt(after)]

const row = (...cells: ReadonlyArray<string | number>) => console.log(`| ${cells.join(" | ")} |`)
row("Sources", "files", "lines", "median lines", "longest")
row("---", "---", "---", "---", "---")
for (const [index, name] of packages.entries()) {
  const [was, is] = [old.rows[index] ?? [], now.rows[index] ?? []]
  row(`\`${name}\``, ...[0, 1, 2, 3].map((column) => `${was[column]} → ${is[column]}`))
}
const totalOf = ({ rows }: Structure, column: 0 | 1) =>
  rows.slice(0, packages.indexOf("benchmarks")).reduce((sum, numbers) => sum + numbers[column], 0)
const totals = ([0, 1] as const).map((column) => `${totalOf(old, column)} → ${totalOf(now, column)}`)
row("packages and apps", ...totals, "", "")
console.log()
row("Measure", "before", "after")
row("---", "---", "---")
row("circles between files", old.circles, now.circles)
row("files from `SiteRepository.list` to the driver", old.path.length, now.path.length)
row("files for a field of a site: product + benchmarks", old.recipe, now.recipe)
console.log(`\nBefore: ${old.path.join(", ")}\nAfter: ${now.path.join(", ")}`)

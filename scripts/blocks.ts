/**
 * The code blocks of everything people read here: the README files and the
 * documentation. Tests run or check each of them.
 */
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../", import.meta.url))

/**
 * `unrun` is why nobody runs it: the text of a comment such as
 * `<!-- not run: needs an account -->` in the line before. TypeScript of which
 * that is said is type-checked all the same. `prints` is the line that the text
 * after the block promises: "It prints `1200`."
 */
export interface Block {
  readonly page: string
  readonly line: number
  readonly language: string
  readonly code: string
  readonly unrun: string | undefined
  readonly prints: string | undefined
}

/** Everything people read, from the root, with slashes. What is generated from sources is not among it. */
export const pages: ReadonlyArray<string> = globSync(
  ["README.md", "CONTRIBUTING.md", "{packages,apps,examples,benchmarks}/**/*.md", "docs/**/*.md"],
  { cwd: root, exclude: (path) => /(^|[\\/])(node_modules|dist|data|coverage|docs[\\/]api)([\\/]|$)/.test(path) }
)
  .map((path) => path.replaceAll("\\", "/"))
  .sort()

export const readPage = (page: string): string => readFileSync(`${root}${page}`, "utf8")

/** The blocks of a text, in their order. A block ends with the fence it began with. */
export const blocksOf = (page: string, text: string): ReadonlyArray<Block> =>
  [
    ...text.matchAll(/^(?:<!-- not run: (.+?) -->\n+)?(`{3,})(\w*)[^\n]*\n(.*?)^\2$(?:\n\nIt prints `([^`]+)`)?/gms)
  ].map(([all, unrun, fence = "", language = "", code = "", prints]) => ({
    page,
    line: text.slice(0, text.indexOf(all) + all.indexOf(fence)).split("\n").length,
    language,
    code,
    unrun,
    prints
  }))

export const blocks = (): ReadonlyArray<Block> => pages.flatMap((page) => blocksOf(page, readPage(page)))

/** Where a block is, for people. */
export const placeOf = ({ line, page }: Block): string => `${page}:${line}`

/** A file made of TypeScript blocks, and whether it is to be run. */
export interface Example {
  readonly path: string
  readonly code: string
  readonly places: ReadonlyArray<string>
  readonly unrun: string | undefined
}

export const examplesFolder = "docs/.examples"

/**
 * The TypeScript of all pages as files. A block whose first line is a comment
 * with the name of a file is (a further) part of that file; any other is a file
 * of its own.
 */
export const examples = (all: ReadonlyArray<Block> = blocks()): ReadonlyArray<Example> => {
  const files = new Map<string, Example>()
  for (const block of all.filter(({ language }) => language === "ts")) {
    const folder = `${examplesFolder}/${block.page.replace(/\.md$/, "")}`
    const path = `${folder}/${/^\/\/ (\S+\.ts)\n/.exec(block.code)?.[1] ?? `line${block.line}.ts`}`
    const before = files.get(path)
    files.set(path, {
      path,
      code: `${before?.code ?? ""}${block.code}`,
      places: [...(before?.places ?? []), placeOf(block)],
      unrun: before?.unrun ?? block.unrun
    })
  }
  return [...files.values()]
}

/** Puts the examples where the type checker and Node find what they import. */
export const extract = (): ReadonlyArray<Example> => {
  const all = examples()
  const expected = new Set(all.map(({ path }) => path))
  for (const path of globSync(`${examplesFolder}/**/*.ts`, { cwd: root })) {
    if (!expected.has(path.replaceAll("\\", "/"))) rmSync(`${root}${path}`, { force: true })
  }
  for (const { code, path } of all) {
    mkdirSync(dirname(`${root}${path}`), { recursive: true })
    writeFileSync(`${root}${path}`, code)
  }
  return all
}

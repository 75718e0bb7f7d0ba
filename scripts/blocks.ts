/**
 * Code blocks of the README files and the documentation. Tests run or check each of them.
 */
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../", import.meta.url))

/**
 * `unrun` is the reason in a comment such as `<!-- not run: needs an account -->` in the line
 * before; such TypeScript is type-checked only. `prints` is the output that the text after the
 * block promises: "It prints `1200`."
 */
export interface Block {
  readonly page: string
  readonly line: number
  readonly language: string
  readonly code: string
  readonly unrun: string | undefined
  readonly prints: string | undefined
}

/** Paths of all pages, from the root, with slashes, without generated ones. */
export const pages: ReadonlyArray<string> = globSync(
  ["README.md", "CONTRIBUTING.md", "{packages,apps,examples,benchmarks,proof}/**/*.md", "docs/**/*.md"],
  { cwd: root, exclude: (path) => /(^|[\\/])(node_modules|dist|data|coverage|docs[\\/]api)([\\/]|$)/.test(path) }
)
  .map((path) => path.replaceAll("\\", "/"))
  .sort()

export const readPage = (page: string): string => readFileSync(`${root}${page}`, "utf8")

/** Blocks of a text, in order. A block ends with the fence that it began with. */
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

/** Place of a block for messages. */
export const placeOf = ({ line, page }: Block): string => `${page}:${line}`

/** A file made of TypeScript blocks. */
export interface Example {
  readonly path: string
  readonly code: string
  readonly places: ReadonlyArray<string>
  readonly unrun: string | undefined
}

export const examplesFolder = "docs/.examples"

/**
 * TypeScript blocks as files. Blocks with the same file name in a comment in the first line form
 * one file; any other block is a file.
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

/** Writes the examples where the type checker and Node find their imports. */
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

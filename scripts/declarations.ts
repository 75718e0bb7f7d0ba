/**
 * Looks for `any` in the declarations as they are published, also where the
 * compiler has inferred it: it would switch off the checks of whoever uses it.
 */
import { globSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { parseSync, Visitor } from "oxc-parser"

/** Files that may hold it, none of which an entry point shows, and why. */
const exceptions: Readonly<Record<string, string>> = {
  "packages/adapter-filesystem/dist/serving/Refused.d.ts": "Effect's own type of a tagged error's base class",
  "packages/http-node/dist/client/Answers.d.ts": "the body of an answer is the contract's promise, not looked at again",
  "packages/http-node/dist/middleware/Refused.d.ts": "Effect's own type of a tagged error's base class"
}

/** The lines of a declaration file that hold `any` as a type. */
export const linesWithAny = (path: string, text: string): ReadonlyArray<number> => {
  const lines = new Set<number>()
  const add = ({ start }: { readonly start: number }) => lines.add(text.slice(0, start).split("\n").length)
  new Visitor({ TSAnyKeyword: add }).visit(parseSync(path, text).program)
  return [...lines]
}

/** One sentence per line with `any`, and per exception that is none any more. */
export const faultsOf = (files: ReadonlyMap<string, string>): ReadonlyArray<string> =>
  [...files].flatMap(([path, text]) => {
    const lines = linesWithAny(path, text)
    if (exceptions[path] === undefined) return lines.map((line) => `${path}:${line} holds any`)
    return lines.length > 0 ? [] : [`${path} needs no exception any more`]
  })

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const paths = globSync("packages/*/dist/**/*.d.ts").map((path) => path.replaceAll("\\", "/"))
  const faults = faultsOf(new Map(paths.sort().map((path) => [path, readFileSync(path, "utf8")])))
  for (const fault of faults) console.error(fault)
  console.log(`${paths.length} declaration files, ${faults.length} faults`)
  // None at all means that nothing was built.
  process.exitCode = faults.length === 0 && paths.length > 0 ? 0 : 1
}

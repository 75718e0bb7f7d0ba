/**
 * Finds `any` in the published declarations, inferred ones included: it would switch off type
 * checks of the caller.
 */
import { globSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { parseSync, Visitor } from "oxc-parser"

/** Allowed lines, with the reason. */
const exceptions: ReadonlyArray<{ readonly line: RegExp; readonly why: string }> = [
  {
    line: /^declare const \w+_base: new <A extends Record<string, any> = \{\}>\(args: /,
    why: "Effect's own type of a tagged error's base class; what a class makes of it names its fields"
  },
  {
    line: /^export declare const bodyOf: .* => any;$/,
    why: "no entry point shows it, and the body of an answer is the contract's promise, not looked at again"
  }
]

/** The numbers of the lines of a declaration file that hold `any` as a type. */
const linesWithAny = (path: string, text: string): ReadonlySet<number> => {
  const lines = new Set<number>()
  const add = ({ start }: { readonly start: number }) => lines.add(text.slice(0, start).split("\n").length)
  new Visitor({ TSAnyKeyword: add }).visit(parseSync(path, text).program)
  return lines
}

/** One sentence per line with `any`. */
export const faultsOf = (path: string, text: string): ReadonlyArray<string> =>
  [...linesWithAny(path, text)]
    .filter((number) => !exceptions.some(({ line }) => line.test(text.split("\n")[number - 1] ?? "")))
    .map((number) => `${path}:${number} holds any`)

/** One sentence per exception that is no longer needed. */
const staleIn = (texts: ReadonlyArray<string>): ReadonlyArray<string> =>
  exceptions
    .filter(({ line }) => !texts.some((text) => text.split("\n").some((one) => line.test(one))))
    .map(({ line }) => `no line is like ${line} any more`)

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const paths = globSync("packages/*/dist/**/*.d.ts").map((path) => path.replaceAll("\\", "/"))
  const files = paths.sort().map((path) => [path, readFileSync(path, "utf8")] as const)
  const faults = [
    ...files.flatMap(([path, text]) => faultsOf(path, text)),
    ...staleIn(files.map(([, text]) => text)),
    ...(files.length === 0 ? ["nothing is built"] : [])
  ]
  for (const fault of faults) console.error(fault)
  console.log(`${files.length} declaration files, ${faults.length} faults`)
  process.exitCode = faults.length === 0 ? 0 : 1
}

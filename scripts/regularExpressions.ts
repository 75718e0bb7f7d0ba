/**
 * Finds regular expressions of sources whose time grows faster than their input: a short text of a
 * caller could stall all others. As a program it prints one sentence per fault.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { checkSync } from "recheck"
import { exceptions as accepted, type Exception } from "./regularExpressions.table.ts"
import { type Files, report } from "./repository.ts"
import { isTypeScript, type RegularExpression, regularExpressionsOf } from "./sources.ts"

// The implementation in JavaScript: the others need a JVM, or a binary per platform.
process.env["RECHECK_BACKEND"] = "pure"
process.env["RECHECK_SYNC_BACKEND"] = "pure"

// Most need milliseconds, the slowest seconds. Bounds of other steps count operations: the result
// does not depend on the speed of the machine.
const limits = { timeout: 120_000, attackTimeout: null, incubationTimeout: null }

/** Without repetitions the time is linear. */
const repeats = (source: string): boolean => /[*+{]/.test(source)

/** What is wrong with the expression; undefined when its time is linear. */
const faultOf = ({ flags, source }: RegularExpression): string | undefined => {
  if (source === undefined) return "is not a constant, so that its time cannot be judged: write it as a literal"
  if (!repeats(source)) return undefined
  const found = checkSync(source, flags, limits)
  if (found.status === "safe") return undefined
  return found.status === "unknown"
    ? "is too complex to judge its time: simplify it"
    : `takes ${found.complexity.type} time in the length of its input: bound its repetitions`
}

/** Faults by expression; null is linear. */
const judgements = new Map<string, string | null>()

/** The same expression is judged once. */
const judgementOf = (expression: RegularExpression): string | undefined => {
  if (expression.source === undefined) return faultOf(expression)
  const key = `${expression.source} ${expression.flags}`
  const known = judgements.get(key)
  if (known !== undefined) return known ?? undefined
  const fault = faultOf(expression)
  judgements.set(key, fault ?? null)
  return fault
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ")

export const faultsOf = (files: Files, exceptions: ReadonlyArray<Exception> = accepted): ReadonlyArray<string> => {
  const unused = new Set(exceptions)
  const faults = [...files]
    .filter(([path]) => isTypeScript(path) && /^(?:packages|apps)\/[^/]+\/src\//.test(path))
    .flatMap(([path, text]) =>
      regularExpressionsOf(path, text).flatMap((expression) => {
        const written = oneLine(expression.written)
        const exception = exceptions.find(({ file, start }) => file === path && written.startsWith(start))
        if (exception !== undefined) unused.delete(exception)
        const fault = exception === undefined ? judgementOf(expression) : undefined
        return fault === undefined ? [] : [`${path}:${expression.line} ${written} ${fault}`]
      })
    )
  return [
    ...faults,
    ...[...unused].map(({ file, start }) => `${file} has no expression ${start}: remove the exception`)
  ]
}

/**
 * Expressions that this version of recheck has found to be linear. They are in the repository, because judging all
 * takes a quarter of a minute. `--write` judges all anew and writes the list; others are judged in each run.
 */
const list = new URL("regularExpressions.linear.json", import.meta.url)

const { version } = JSON.parse(readFileSync(new URL("../node_modules/recheck/package.json", import.meta.url), "utf8"))

/** Faults, where those of the list are not judged again. */
export const newFaultsOf = (files: Files): ReadonlyArray<string> => {
  const kept = JSON.parse(readFileSync(list, "utf8"))
  if (kept.recheck === version) for (const key of kept.linear) judgements.set(key, null)
  return faultsOf(files)
}

if (import.meta.main) {
  const writes = process.argv.includes("--write")
  report(writes ? faultsOf : newFaultsOf)
  if (writes) {
    const linear = [...judgements].flatMap(([key, fault]) => (fault === null && repeats(key) ? [key] : [])).sort()
    writeFileSync(list, `${JSON.stringify({ recheck: version, linear }, null, 2)}\n`)
  }
}

/**
 * Finds regular expressions of sources whose time grows faster than their input: a short text of a
 * caller could stall all others. As a program it prints one sentence per fault.
 */
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

/** What is wrong with the expression; undefined when its time is linear. */
const faultOf = ({ flags, source }: RegularExpression): string | undefined => {
  if (source === undefined) return "is not a constant, so that its time cannot be judged: write it as a literal"
  if (!/[*+{]/.test(source)) return undefined
  const found = checkSync(source, flags, limits)
  if (found.status === "safe") return undefined
  return found.status === "unknown"
    ? "is too complex to judge its time: simplify it"
    : `takes ${found.complexity.type} time in the length of its input: bound its repetitions`
}

const judgements = new Map<string, string | undefined>()

/** The same expression is judged once. */
const judgementOf = (expression: RegularExpression): string | undefined => {
  const key = `${expression.source} ${expression.flags}`
  if (expression.source === undefined) return faultOf(expression)
  if (!judgements.has(key)) judgements.set(key, faultOf(expression))
  return judgements.get(key)
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

if (import.meta.main) report(faultsOf)

/**
 * Finds regular expressions of sources whose time grows faster than their input: a short text of a
 * caller could stall all others. As a program it prints one sentence per fault.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { fileURLToPath } from "node:url"
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

/** Judgements of earlier runs, which depend on this file and on the version of recheck alone. */
const cache = new URL("../node_modules/.cache/regularExpressions.json", import.meta.url)

const readCache = (basis: string): void => {
  try {
    const stored = JSON.parse(readFileSync(cache, "utf8"))
    if (stored.basis === basis) for (const [key, fault] of stored.judgements) judgements.set(key, fault)
  } catch {
    // There is none, or one of an interrupted run: all expressions are judged.
  }
}

const writeCache = (basis: string): void => {
  const path = fileURLToPath(cache)
  const unfinished = `${path}.${process.pid}`
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(unfinished, JSON.stringify({ basis, judgements: [...judgements] }))
  renameSync(unfinished, path)
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

if (import.meta.main) {
  const files = ["../node_modules/recheck/package.json", "regularExpressions.ts"]
  const basis = files.map((file) => readFileSync(new URL(file, import.meta.url), "utf8")).join("\n")
  readCache(basis)
  report(faultsOf)
  writeCache(basis)
}

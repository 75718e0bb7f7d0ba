/**
 * Finds the policies of row-level security: one after the other holds for every row, or is not
 * enabled.
 */
import { readFileSync } from "node:fs"
import { type Mutant, type Place, toMutants } from "./Mutant.ts"

const place = (text: string, pattern: RegExp): Pick<Place, "start" | "end"> => {
  const match = pattern.exec(text)
  if (match === null) throw new Error(`No text matches ${pattern}.`)
  return { start: match.index, end: match.index + match[0].length }
}

/** `file` makes the SQL, `tables` has the tables, each with its readers on a line. */
export const policies = (file: string, tables: string): ReadonlyArray<Mutant> => {
  const text = readFileSync(file, "utf8")
  const predicate = place(text, /\bown(?=\)\))/)
  const enabled = place(text, /\bowned(?=\.map\(\(name\) => `\\nalter)/)
  const names = [...readFileSync(tables, "utf8").matchAll(/^ {2}(\w+): "(?:own|across)",?$/gm)].map(([, name]) => name)
  const places = [...names, "api_key"].flatMap(
    (name): ReadonlyArray<Place> => [
      { ...predicate, label: `${name}: own_organisation`, replacement: `name === "${name}" ? "true" : own` },
      { ...enabled, label: `${name}: enable`, replacement: `owned.filter((name) => name !== "${name}")` }
    ]
  )
  return toMutants(file, text, places)
}

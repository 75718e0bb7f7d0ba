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

/** Two mutants per table. */
const policiesOf = (file: string, names: ReadonlyArray<string | undefined>): ReadonlyArray<Mutant> => {
  const text = readFileSync(file, "utf8")
  const predicate = place(text, /\bown(?=\)\))/)
  const enabled = place(text, /\bowned(?=\.map\(\(name\) => `\\nalter)/)
  const places = names.flatMap(
    (name): ReadonlyArray<Place> => [
      { ...predicate, label: `${name}: own_organisation`, replacement: `name === "${name}" ? "true" : own` },
      { ...enabled, label: `${name}: enable`, replacement: `owned.filter((name) => name !== "${name}")` }
    ]
  )
  return toMutants(file, text, places)
}

const namesIn = (file: string, pattern: RegExp) =>
  [...readFileSync(file, "utf8").matchAll(pattern)].map(([, name]) => name)

/** `file` makes the SQL, `tables` has the tables, each with its readers on a line. */
export const policies = (file: string, tables: string): ReadonlyArray<Mutant> =>
  policiesOf(file, [...namesIn(tables, /^ {2}(\w+): "(?:own|across)",?$/gm), "api_key"])

/** The same of tables of the server, which `tables` lists. Others may read some in all organisations. */
export const serverPolicies = (file: string, tables: string): ReadonlyArray<Mutant> =>
  policiesOf(file, namesIn(tables, /^ {2}\{ name: "(\w+)"/gm))

const commands = ["select", "insert", "update", "delete"]

/** Policies of portfolios: one after the other holds for every row. Nothing inserts, updates or deletes an event. */
export const portfolioPolicies = (file: string): ReadonlyArray<Mutant> => {
  const text = readFileSync(file, "utf8")
  const condition = place(text, /`\(select \$\{textOf\(setting\)\} is null\) or [^`]*`/)
  const whole = text.slice(condition.start, condition.end)
  const names = namesIn(file, /^ {2}(\w+): \((?:ids)?\) =>/gm)
  const places = [...names.flatMap((name) => commands.map((command) => [name, command])), ["event", "select"]].map(
    ([name, command]): Place => ({
      ...condition,
      label: `${name}: own_portfolios_${command}`,
      replacement: `table.endsWith(".${name}") && command === "${command}" ? "true" : ${whole}`
    })
  )
  return toMutants(file, text, places)
}

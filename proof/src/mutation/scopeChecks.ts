/**
 * Finds the checks of scopes, and removes each: a scope from the table of operations, a guard from a service, a check
 * from a place that calls it.
 */
import { readFileSync } from "node:fs"
import { type Mutant, type Place, toMutants } from "./Mutant.ts"
import { type Node, surroundings, walk } from "./Syntax.ts"

/** Scopes that an operation needs are arrays or arguments; declarations of all scopes are not. */
const isScope = (node: Node): node is Node & { readonly value: string } =>
  node.type === "Literal" && typeof node.value === "string" && /^[a-z]+:[a-z]+$/.test(node.value)

/** Replacement of a call by what happens without the check. */
const withoutCheck = (name: string, args: ReadonlyArray<string>): string | undefined => {
  if (name === "guarded") return args[1]
  return name === "requireAccess" || name === "requireAccessToInput" ? "Effect.void" : undefined
}

export const scopeChecks = (files: ReadonlyArray<string>): ReadonlyArray<Mutant> =>
  files.flatMap((file) => {
    const text = readFileSync(file, "utf8")
    const places: Array<Place> = []
    walk(file, text, (node, ancestors) => {
      const { end, start } = node
      const { name } = surroundings(ancestors)
      if (file.endsWith("Operations.ts") && isScope(node)) {
        const row = ancestors.findLast(({ type }) => type === "Property")
        const operation = row === undefined ? name : text.slice(row.start).split(":")[0]
        // An empty list spread in place of the scope, so that commas stay.
        places.push({ label: `${operation}: without ${node.value}`, start, end, replacement: "...[]" })
      }
      if (node.type !== "CallExpression" || node.callee.type !== "Identifier") return
      const args = node.arguments.map((one) => text.slice(one.start, one.end))
      const replacement = withoutCheck(node.callee.name, args)
      if (replacement !== undefined)
        places.push({ label: `${name}: without ${node.callee.name}`, start, end, replacement })
    })
    return toMutants(file, text, places)
  })

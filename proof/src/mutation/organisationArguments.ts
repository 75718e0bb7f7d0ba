/**
 * Finds the organisations that rules pass on: to ports, to other functions, into records. Each of them
 * becomes the organisation of the first call that came this way. (One that is left out does not
 * compile.)
 */
import { readFileSync } from "node:fs"
import { type Mutant, type Place, toMutants } from "./Mutant.ts"
import { type Node, surroundings, walk } from "./Syntax.ts"

const isOrganisation = (node: Node): boolean =>
  (node.type === "Identifier" && node.name === "organisationId") ||
  (node.type === "MemberExpression" && node.property.type === "Identifier" && node.property.name === "organisationId")

export const organisationArguments = (files: ReadonlyArray<string>): ReadonlyArray<Mutant> =>
  files.flatMap((file) => {
    const text = readFileSync(file, "utf8")
    const places: Array<Place> = []
    walk(file, text, (node, ancestors) => {
      if (node.type !== "CallExpression") return
      const callee = text.slice(node.callee.start, node.callee.end).replaceAll(/\s+/g, "")
      const add = (argument: Node, write: (organisation: string) => string) => {
        const written = text.slice(argument.start, argument.end)
        const key = JSON.stringify(`${file}:${argument.start}`)
        const first = `((globalThis.firstOrganisations ??= {})[${key}] ??= ${written})`
        const { name } = surroundings(ancestors)
        places.push({
          label: `${name}: ${written} of ${callee}`,
          start: argument.start,
          end: argument.end,
          replacement: write(first)
        })
      }
      for (const argument of node.arguments) {
        if (isOrganisation(argument)) add(argument, (first) => first)
        if (argument.type !== "ObjectExpression") continue
        for (const property of argument.properties) {
          if (property.type !== "Property" || !isOrganisation(property.value)) continue
          add(property.value, (first) => (property.shorthand ? `organisationId: ${first}` : first))
        }
      }
    })
    return toMutants(file, text, places)
  })

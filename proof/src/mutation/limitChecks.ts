/**
 * Finds what holds the limit of callers to portfolios, and removes each: a refusal from the table of operations, a
 * reach that a port gets, a check of a record, a condition of a statement.
 */
import { readFileSync } from "node:fs"
import { type Mutant, type Place, toMutants } from "./Mutant.ts"
import { type Node, surroundings, walk } from "./Syntax.ts"

type Replacement = (args: ReadonlyArray<string>) => string

const whole = (reach = "") => `((reach) => typeof reach === "string" ? reach : reach.organisationId)(${reach})`

/** Calls of `core`, and what happens without them. */
const ofCore: Readonly<Record<string, Replacement>> = {
  reached: ([method = ""]) => method,
  reachIn: ([organisationId]) => `Effect.succeed(${organisationId})`,
  isReached: () => "true",
  isWithin: () => "true",
  expectWithin: () => "undefined",
  isHidden: () => "false",
  pageWithin: ([, page = ""]) => page,
  eventWithin: ([, event = ""]) => event,
  bothLimits: ([own = ""]) => own,
  isWithinLimit: () => "true"
}

/** Calls of an adapter. Those of SQL are inserted into texts, which keep their parameters. */
const ofAdapter: Readonly<Record<string, Replacement>> = {
  reachParameter: ([reach]) => `reachParameter(${whole(reach)})`,
  reachParts: ([reach]) => `reachParts(${whole(reach)})`,
  reached: ([position]) => `\`\${reached(${position})} is not null\``,
  isWithin: (args) => `\`(\${isWithin(${args.join(", ")})} or true)\``,
  isReachedEvent: ([reach]) => `sql\`(\${isReachedEvent(${reach})} or true)\``
}

/** The same name is a check of transitions in other files. */
const isOtherName = (name: string, text: string) => name === "isReached" && !/\bReach\b|\/Reach\.ts"/.test(text)

const nameOf = ({ callee }: Node & { readonly type: "CallExpression" }): string | undefined => {
  if (callee.type === "Identifier") return callee.name
  return callee.type === "MemberExpression" && callee.property.type === "Identifier" ? callee.property.name : undefined
}

/** Their parts choose a text and its parameters in two places: a change of one alone makes an invalid statement. */
const choosesTexts = (file: string) => file.endsWith("/PgPortfolioSlices.ts")

/** Whether only the organisation of the parts is read. */
const readsOrganisation = ([parent]: ReadonlyArray<Node>, text: string): boolean =>
  parent !== undefined &&
  (parent.type === "MemberExpression" ||
    (parent.type === "VariableDeclarator" && text.slice(parent.id.start, parent.id.end) === "{ organisationId }"))

const withoutRefusal: Readonly<Record<string, string>> = { limited: "undefined", limitedInput: "() => null" }

export const limitChecks = (files: ReadonlyArray<string>): ReadonlyArray<Mutant> =>
  files.flatMap((file) => {
    const text = readFileSync(file, "utf8")
    const isCore = file.startsWith("packages/core/")
    const places: Array<Place> = []
    walk(file, text, (node, ancestors) => {
      const around = surroundings(ancestors)
      const operation = around.operation === undefined ? {} : { operation: around.operation }
      if (node.type === "Property" && node.key.type === "Identifier" && file.endsWith("Operations.ts")) {
        const replacement = withoutRefusal[node.key.name]
        const { end, start } = node.value
        if (replacement !== undefined) {
          places.push({ label: `${around.name}: without ${node.key.name}`, start, end, replacement })
        }
      }
      const name = node.type === "CallExpression" ? nameOf(node) : undefined
      if (node.type !== "CallExpression" || name === undefined || isOtherName(name, text)) return
      const replace = Object.entries(isCore ? ofCore : ofAdapter).find(([known]) => known === name)?.[1]
      if (replace === undefined) return
      if (name === "reachParts" && (choosesTexts(file) || readsOrganisation(ancestors, text))) return
      const args = node.arguments.map((one) => text.slice(one.start, one.end))
      const label = `${around.name}: without ${name}(${args.join(", ").replaceAll(/\s+/g, " ").slice(0, 60)})`
      places.push({ ...operation, label, start: node.start, end: node.end, replacement: `(${replace(args)})` })
    })
    return toMutants(file, text, places)
  })

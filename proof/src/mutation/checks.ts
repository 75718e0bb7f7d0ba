/**
 * Finds checks in sources, and what replaces each of them.
 */
import { type Finder, type Node, surroundings } from "./Mutant.ts"

const isOrganisation = (node: Node): boolean =>
  (node.type === "Identifier" && node.name === "organisationId") ||
  (node.type === "MemberExpression" && node.property.type === "Identifier" && node.property.name === "organisationId")

/**
 * The organisations that rules pass on: to ports, to other functions, into records. Each of them becomes the
 * organisation of the first call that came this way. (One that is left out does not compile.)
 */
export const organisationArguments: Finder = (node, ancestors, { file, text }) => {
  if (node.type !== "CallExpression") return []
  const callee = text.slice(node.callee.start, node.callee.end).replaceAll(/\s+/g, "")
  const placeOf = ({ end, start }: Node, isShorthand = false) => {
    const written = text.slice(start, end)
    const key = JSON.stringify(`${file}:${start}`)
    const first = `((globalThis.firstOrganisations ??= {})[${key}] ??= ${written})`
    const label = `${surroundings(ancestors).name}: ${written} of ${callee}`
    return { label, start, end, replacement: isShorthand ? `organisationId: ${first}` : first }
  }
  return node.arguments.flatMap((argument) => {
    if (isOrganisation(argument)) return [placeOf(argument)]
    const properties = argument.type === "ObjectExpression" ? argument.properties : []
    return properties.flatMap((property) =>
      property.type === "Property" && isOrganisation(property.value)
        ? [placeOf(property.value, property.shorthand)]
        : []
    )
  })
}

/** Scopes that an operation needs are arrays or arguments; declarations of all scopes are not. */
const isScope = (node: Node): node is Node & { readonly value: string } =>
  node.type === "Literal" && typeof node.value === "string" && /^[a-z]+:[a-z]+$/.test(node.value)

/** Replacement of a call by what happens without the check. */
const withoutCheck = (name: string, args: ReadonlyArray<string>): string | undefined => {
  if (name === "guarded") return args[1]
  return name === "requireAccess" || name === "requireAccessToInput" ? "Effect.void" : undefined
}

/** A scope in the table of operations, the guard of a service, a check where it is called. */
export const scopeChecks: Finder = (node, ancestors, { file, text }) => {
  const { end, start } = node
  const { name } = surroundings(ancestors)
  if (file.endsWith("Operations.ts") && isScope(node)) {
    const row = ancestors.findLast(({ type }) => type === "Property")
    const operation = row === undefined ? name : text.slice(row.start).split(":")[0]
    // An empty list spread in place of the scope, so that commas stay.
    return [{ label: `${operation}: without ${node.value}`, start, end, replacement: "...[]" }]
  }
  if (node.type !== "CallExpression" || node.callee.type !== "Identifier") return []
  const args = node.arguments.map((one) => text.slice(one.start, one.end))
  const replacement = withoutCheck(node.callee.name, args)
  if (replacement === undefined) return []
  return [{ label: `${name}: without ${node.callee.name}`, start, end, replacement }]
}

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

/**
 * What holds the limit of callers to portfolios: a refusal from the table of operations, a reach that a port gets, a
 * check of a record, a condition of a statement.
 */
export const limitChecks: Finder = (node, ancestors, { file, text }) => {
  const around = surroundings(ancestors)
  if (node.type === "Property" && node.key.type === "Identifier" && file.endsWith("Operations.ts")) {
    const replacement = withoutRefusal[node.key.name]
    const { end, start } = node.value
    if (replacement !== undefined) {
      return [{ label: `${around.name}: without ${node.key.name}`, start, end, replacement }]
    }
  }
  const name = node.type === "CallExpression" ? nameOf(node) : undefined
  if (node.type !== "CallExpression" || name === undefined || isOtherName(name, text)) return []
  const known = file.startsWith("packages/core/") ? ofCore : ofAdapter
  const replace = Object.hasOwn(known, name) ? known[name] : undefined
  if (replace === undefined) return []
  if (name === "reachParts" && (choosesTexts(file) || readsOrganisation(ancestors, text))) return []
  const args = node.arguments.map((one) => text.slice(one.start, one.end))
  const label = `${around.name}: without ${name}(${args.join(", ").replaceAll(/\s+/g, " ").slice(0, 60)})`
  const operation = around.operation === undefined ? {} : { operation: around.operation }
  return [{ ...operation, label, start: node.start, end: node.end, replacement: `(${replace(args)})` }]
}

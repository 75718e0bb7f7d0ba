/**
 * One change of one source text, and the tests that must notice it.
 */
import { globSync, readFileSync } from "node:fs"
import { type Node, parseSync } from "oxc-parser"

/** Positions are offsets in the text of `file`, a path in the workspace. */
export interface Mutant {
  /** Stable while the changed expression and its surroundings keep their names. */
  readonly id: string
  readonly file: string
  readonly line: number
  readonly start: number
  readonly end: number
  readonly replacement: string
  /** Port method of the changed statement, if known. */
  readonly operation?: string
}

/** Tests of one project. `pattern` selects by the full name of a test. */
export interface Suite {
  readonly project: string
  /** Parts of the paths of test files. */
  readonly files: ReadonlyArray<string>
  /** Names of test files that are left out. */
  readonly without?: ReadonlyArray<string>
  readonly pattern?: RegExp
}

export interface Area {
  readonly name: string
  readonly find: () => ReadonlyArray<Mutant>
  /** Tried one after the other until a test fails. */
  readonly suitesOf: (mutant: Mutant) => ReadonlyArray<Suite>
}

/** A place that changes, before it has an id. */
export interface Place extends Omit<Mutant, "id" | "file" | "line"> {
  /** Name of the surroundings, and what changes. */
  readonly label: string
}

export const sources = (...patterns: ReadonlyArray<string>): ReadonlyArray<string> =>
  globSync([...patterns])
    .filter((path) => !/\/(migrations|citus|security)\//.test(path))
    .sort()

/** Numbers places with the same label, in the order of the text. */
export const toMutants = (file: string, text: string, places: ReadonlyArray<Place>): ReadonlyArray<Mutant> => {
  const seen = new Map<string, number>()
  return places
    .toSorted((a, b) => a.start - b.start)
    .map(({ end, label, operation, replacement, start }) => {
      const count = (seen.get(label) ?? 0) + 1
      seen.set(label, count)
      const id = `${file.split("/").at(-1)} ${label}${count === 1 ? "" : ` (${count})`}`
      const line = text.slice(0, start).split("\n").length
      return { id, file, line, start, end, replacement, ...(operation === undefined ? {} : { operation }) }
    })
}

/** Places of a node of a syntax tree, with the ancestors of the node from the inside out. */
export type Finder = (
  node: Node,
  ancestors: ReadonlyArray<Node>,
  source: { readonly file: string; readonly text: string }
) => ReadonlyArray<Place>

export const mutantsIn = (files: ReadonlyArray<string>, find: Finder): ReadonlyArray<Mutant> =>
  files.flatMap((file) => {
    const text = readFileSync(file, "utf8")
    const places: Array<Place> = []
    walk(file, text, (node, ancestors) => places.push(...find(node, ancestors, { file, text })))
    return toMutants(file, text, places)
  })

export type { Node }

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "type" in value && typeof value.type === "string"

/** Calls `visit` for each node, with its ancestors from the inside out. */
export const walk = (path: string, text: string, visit: (node: Node, ancestors: ReadonlyArray<Node>) => void): void => {
  const { errors, program } = parseSync(path, text)
  if (errors[0] !== undefined) throw new Error(`${path}: ${errors[0].message}`)
  const enter = (node: Node, ancestors: ReadonlyArray<Node>): void => {
    visit(node, ancestors)
    const inside = [node, ...ancestors]
    for (const value of Object.values(node)) {
      for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) enter(child, inside)
    }
  }
  enter(program, [])
}

const keyOf = (node: Node): string | undefined => {
  if (node.type === "VariableDeclarator" && node.id.type === "Identifier") return node.id.name
  if (node.type === "Property" && node.key.type === "Identifier") return node.key.name
  return undefined
}

/** Name of the nearest constant or member around a node; a port method if a call names one. */
export const surroundings = (
  ancestors: ReadonlyArray<Node>
): { readonly name: string; readonly operation?: string } => {
  for (const node of ancestors) {
    const text = node.type === "CallExpression" ? node.arguments.find(isOperation) : undefined
    if (text !== undefined && isOperation(text)) return { name: text.value, operation: text.value }
    const key = keyOf(node)
    if (key !== undefined) return { name: key }
  }
  return { name: "module" }
}

const isOperation = (node: Node): node is Node & { readonly value: string } =>
  node.type === "Literal" && typeof node.value === "string" && /^[A-Z]\w+\.\w+$/.test(node.value)

/**
 * One change of one source text, and the tests that must notice it.
 */
import { globSync, readFileSync } from "node:fs"
import { type Node, walk } from "./Syntax.ts"

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

/**
 * Finds files that import each other, directly or through others. Imports of types count: a reader
 * has to follow them too. As a program it prints one sentence per circle.
 */
import { posix } from "node:path"
import { type Files, report } from "./repository.ts"
import { importsOf, isTypeScript } from "./sources.ts"

/** File to the files that it imports by a relative path. */
export type ImportGraph = ReadonlyMap<string, ReadonlyArray<string>>

export const importGraphOf = (files: Files): ImportGraph =>
  new Map(
    [...files]
      .filter(([path]) => isTypeScript(path))
      .map(([path, text]) => [
        path,
        importsOf(path, text)
          .filter(({ specifier }) => specifier.startsWith("."))
          .map(({ specifier }) => posix.join(posix.dirname(path), specifier))
          .filter((imported) => files.has(imported))
      ])
  )

/** Strongly connected components of more than one file (Tarjan's algorithm); each sorted. */
export const circlesOf = (graph: ImportGraph): ReadonlyArray<ReadonlyArray<string>> => {
  const index = new Map<string, number>()
  const stack: Array<string> = []
  const circles: Array<ReadonlyArray<string>> = []

  /** Lowest index that is reachable from the file. */
  const visit = (path: string): number => {
    const own = index.size
    let lowest = own
    index.set(path, own)
    stack.push(path)
    for (const imported of graph.get(path) ?? []) {
      const known = index.get(imported)
      if (known === undefined) lowest = Math.min(lowest, visit(imported))
      else if (stack.includes(imported)) lowest = Math.min(lowest, known)
    }
    if (lowest === own) {
      const component = stack.splice(stack.indexOf(path))
      if (component.length > 1) circles.push(component.toSorted())
    }
    return lowest
  }

  for (const path of graph.keys()) if (!index.has(path)) visit(path)
  return circles
}

export const faultsOf = (files: Files): ReadonlyArray<string> =>
  circlesOf(importGraphOf(files)).map((circle) => `files import each other in a circle: ${circle.join(", ")}`)

if (import.meta.main) report(faultsOf)

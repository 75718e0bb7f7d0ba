/**
 * Finds the organisation predicates of SQL texts, and makes each of them always true.
 */
import { readFileSync } from "node:fs"
import { type Mutant, type Node, type Place, surroundings, toMutants, walk } from "./Mutant.ts"

const row = String.raw`(?:(?:\w+|\$\{\w+\})\.)`
// The first parameter in an adapter, a named one in a host.
const parameter = String.raw`(?:\$1|\$\{(?:given\.)?organisationId\})`
const organisation = String.raw`(?:${parameter}(?:::uuid)?|${row}(?:organisation_id|id)\b|\$\{organisation\})`
// Not what an `update` sets.
const predicates = new RegExp(
  String.raw`(?<!\bset )(?:${row}?\borganisation_id (?:=|<>) ${organisation}|${row}id = (?:${parameter}::uuid|${row}organisation_id\b))`,
  "g"
)

/** Any other comparison of an organisation, except the one that pages through organisations. */
const comparisons =
  /(?<!\bset )organisation_id\s*(?:=|<>|!=|<|\bin\b|\bany\b|>(?! (?:\$\{after\}|'\$\{lowestUuid\}'|\$\d::uuid)))/g

const isText = (node: Node): boolean =>
  node.type === "TemplateLiteral" || (node.type === "Literal" && typeof node.value === "string")

interface Found extends Place {
  readonly predicate: string
  readonly name: string
  /** Block that knows the name. */
  readonly scope: Node | undefined
}

const alwaysTrue = (predicate: string) => `(${predicate} or true)`

const isBlock = ({ type }: Node) => type === "BlockStatement" || type === "Program"

/** Predicates of one module, each once. Throws for a comparison in an unknown form. */
const predicatesOf = (path: string, text: string): ReadonlyArray<Found> => {
  const found = new Map<number, Found>()
  walk(path, text, (node, ancestors) => {
    if (!isText(node)) return
    const content = text.slice(node.start, node.end)
    for (const match of content.matchAll(predicates)) {
      const start = node.start + match.index
      const around = surroundings(ancestors)
      // The innermost text comes last.
      found.set(start, {
        ...around,
        label: `${around.name}: ${match[0]}`,
        start,
        end: start + match[0].length,
        replacement: alwaysTrue(match[0]),
        predicate: match[0],
        scope: ancestors.find(isBlock)
      })
    }
    for (const match of content.matchAll(comparisons)) {
      const at = node.start + match.index
      if (![...found.values()].some(({ end, start }) => start <= at && at < end))
        throw new Error(`${path}: unknown comparison of an organisation: ${text.slice(at, at + 60)}`)
    }
  })
  return [...found.values()]
}

/**
 * The expression with its `place`th predicate changed. Its value is a string, or the parts of a `PgText`. A form of
 * it without the predicate, such as an empty text, stays as it is. It throws when another text inside the expression
 * has the same predicate, since the place says nothing then.
 */
const changed = (expression: string, predicate: string, place: number, count: number): string => {
  const [quoted, replacement] = [JSON.stringify(predicate), JSON.stringify(alwaysTrue(predicate))]
  return `((fragment) => {
    let found = 0
    const change = (part) => typeof part !== "string" ? part : part.split(${quoted})
      .reduce((before, after) => before + (found++ === ${place} ? ${replacement} : ${quoted}) + after)
    const result = typeof fragment === "string" ? change(fragment) : new fragment.constructor(fragment.parts.map(change))
    if (found === 0) return fragment
    if (found !== ${count}) throw new Error(${JSON.stringify(`SyntaxError: ambiguous: ${predicate}`)})
    return result
  })(${expression})`
}

/**
 * A fragment that statements share changes in one statement at a time: where it is inserted, or called
 * if a text inserts it elsewhere. One that no other text inserts, or that has a placeholder in the
 * predicate, changes where it is written.
 */
export const organisationPredicates = (files: ReadonlyArray<string>): ReadonlyArray<Mutant> => {
  const texts = new Map(files.map((file) => [file, readFileSync(file, "utf8")]))
  const all = [...texts].flatMap(([file, text]) => predicatesOf(file, text).map((found) => ({ file, ...found })))
  const shared = all.filter(({ operation, predicate }) => operation === undefined && !predicate.includes("${"))
  const inserted = new Set<number>()

  const isKnown = ({ file: from, name, scope }: (typeof all)[number], file: string, text: string, at: Node) => {
    if (from !== file)
      return new RegExp(`import \\{[^}]*\\b${name}\\b[^}]*\\} from "[^"]*/${from.split("/").at(-1)}"`).test(text)
    return scope === undefined || (scope.start <= at.start && at.end <= scope.end)
  }

  const insertionsOf = (file: string, text: string): ReadonlyArray<Place> => {
    const places: Array<Place> = []
    walk(file, text, (node, ancestors) => {
      const isInserted = ancestors[0]?.type === "TemplateLiteral" && !isText(node)
      if (!isInserted && node.type !== "CallExpression") return
      const callee = node.type === "CallExpression" ? node.callee : node
      if (callee.type !== "Identifier") return
      const fragment = shared.filter(
        (found) =>
          found.name === callee.name &&
          isKnown(found, file, text, node) &&
          (isInserted || inserted.has(all.indexOf(found)))
      )
      const { name, operation } = surroundings(ancestors)
      for (const found of fragment) {
        inserted.add(all.indexOf(found))
        const same = fragment.filter(({ predicate }) => predicate === found.predicate)
        places.push({
          ...(operation === undefined ? {} : { operation }),
          label: `${name}: ${found.predicate} of ${callee.name}`,
          start: node.start,
          end: node.end,
          replacement: changed(text.slice(node.start, node.end), found.predicate, same.indexOf(found), same.length)
        })
      }
    })
    return places
  }

  // The first pass finds all fragments that a text inserts.
  for (const [file, text] of texts) insertionsOf(file, text)
  const insertions = new Map([...texts].map(([file, text]) => [file, insertionsOf(file, text)]))
  return [...texts].flatMap(([file, text]) => {
    const written = all.filter((found, index) => found.file === file && !inserted.has(index))
    return toMutants(file, text, [...written, ...(insertions.get(file) ?? [])])
  })
}

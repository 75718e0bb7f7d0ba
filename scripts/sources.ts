/**
 * Imports and comments of a TypeScript module, read by a parser.
 */
import { type ParseResult, parseSync, Visitor } from "oxc-parser"

/** `typeOnly` is erased when types are stripped. */
export interface Import {
  readonly specifier: string
  readonly line: number
  readonly typeOnly: boolean
}

/** `text` is without the comment marks; `line` is its first line. */
export interface Comment {
  readonly text: string
  readonly line: number
}

const parse = (path: string, text: string): ParseResult => {
  const result = parseSync(path, text)
  if (result.errors[0] !== undefined) throw new Error(`${path}: ${result.errors[0].message}`)
  return result
}

const lineOf = (text: string, position: number) => text.slice(0, position).split("\n").length

export const isTypeScript = (path: string): boolean => /\.[cm]?tsx?$/.test(path)

/**
 * Statements, re-exports, dynamic imports and types such as `import("effect").Effect`.
 * Throws when the module does not parse.
 */
export const importsOf = (path: string, text: string): ReadonlyArray<Import> => {
  const imports: Array<Import> = []
  const add = (start: number, specifier: string, typeOnly: boolean) =>
    imports.push({ specifier, line: lineOf(text, start), typeOnly })
  new Visitor({
    ImportDeclaration: (node) => add(node.start, node.source.value, node.importKind === "type"),
    ExportAllDeclaration: (node) => add(node.start, node.source.value, node.exportKind === "type"),
    ExportNamedDeclaration: (node) => {
      if (node.source !== null) add(node.start, node.source.value, node.exportKind === "type")
    },
    ImportExpression: (node) => {
      const { source } = node
      const known = source.type === "Literal" && typeof source.value === "string"
      add(node.start, known ? source.value : text.slice(source.start, source.end), false)
    },
    TSImportType: (node) => add(node.start, node.source.value, true)
  }).visit(parse(path, text).program)
  return imports
}

/** Throws when the module does not parse. */
export const commentsOf = (path: string, text: string): ReadonlyArray<Comment> =>
  parse(path, text).comments.map(({ start, value }) => ({ text: value, line: lineOf(text, start) }))

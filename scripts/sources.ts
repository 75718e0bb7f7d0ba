/**
 * Imports, comments and regular expressions of a TypeScript module, read by a parser.
 */
import {
  type CallExpression,
  type Expression,
  type NewExpression,
  type ParseResult,
  parseSync,
  type SpreadElement,
  Visitor
} from "oxc-parser"

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

/** `source` is undefined when the text of the module does not show it. `written` is its spelling. */
export interface RegularExpression {
  readonly source: string | undefined
  readonly flags: string
  readonly written: string
  readonly line: number
}

const parse = (path: string, text: string): ParseResult => {
  const result = parseSync(path, text)
  if (result.errors[0] !== undefined) throw new Error(`${path}: ${result.errors[0].message}`)
  return result
}

const lineOf = (text: string, position: number) => text.slice(0, position).split("\n").length

export const isTypeScript = (path: string): boolean => /\.[cm]?tsx?$/.test(path)

/** Imports by text: two checks of a process ask for those of every file. */
const known = new Map<string, ReadonlyArray<Import>>()

/**
 * Statements, re-exports, dynamic imports and types such as `import("effect").Effect`.
 * Throws when the module does not parse.
 */
export const importsOf = (path: string, text: string): ReadonlyArray<Import> => {
  const found = known.get(text) ?? readImports(path, text)
  known.set(text, found)
  return found
}

const readImports = (path: string, text: string): ReadonlyArray<Import> => {
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

/** Texts of the code, and the parts of templates between their values. Throws when the module does not parse. */
export const textsOf = (path: string, text: string): ReadonlyArray<string> => {
  const found: Array<string> = []
  new Visitor({
    Literal: (node) => {
      if (typeof node.value === "string") found.push(node.value)
    },
    TemplateElement: ({ value }) => found.push(value.cooked ?? "")
  }).visit(parse(path, text).program)
  return found
}

/** The value of a text that is made of constants of the module. */
const constantText = (
  node: Expression | SpreadElement | null,
  constants: ReadonlyMap<string, string>
): string | undefined => {
  if (node?.type === "Literal" && typeof node.value === "string") return node.value
  if (node?.type === "Identifier") return constants.get(node.name)
  if (node?.type !== "TemplateLiteral") return undefined
  const parts = node.quasis.flatMap(({ value }, index) => [
    value.cooked ?? undefined,
    index < node.expressions.length ? constantText(node.expressions[index] ?? null, constants) : ""
  ])
  return parts.includes(undefined) ? undefined : parts.join("")
}

/** Literals and calls of `RegExp`. Throws when the module does not parse. */
export const regularExpressionsOf = (path: string, text: string): ReadonlyArray<RegularExpression> => {
  const found: Array<RegularExpression> = []
  const constants = new Map<string, string>()
  const add = (node: { readonly start: number; readonly end: number }, source: string | undefined, flags: string) =>
    found.push({ source, flags, written: text.slice(node.start, node.end), line: lineOf(text, node.start) })
  const addCall = (node: CallExpression | NewExpression) => {
    if (node.callee.type !== "Identifier" || node.callee.name !== "RegExp") return
    const [source = null, flags = null] = node.arguments
    const known = constantText(flags, constants)
    add(node, flags === null || known !== undefined ? constantText(source, constants) : undefined, known ?? "")
  }
  new Visitor({
    VariableDeclarator: ({ id, init }) => {
      const value = constantText(init, constants)
      if (id.type === "Identifier" && value !== undefined) constants.set(id.name, value)
    },
    Literal: (node) => {
      if ("regex" in node) add(node, node.regex.pattern, node.regex.flags)
    },
    CallExpression: addCall,
    NewExpression: addCall
  }).visit(parse(path, text).program)
  return found
}

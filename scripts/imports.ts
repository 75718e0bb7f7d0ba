/**
 * The imports of a TypeScript module, read by a parser: statements, re-exports,
 * dynamic imports and types such as `import("effect").Effect`.
 */
import { parseSync, Visitor } from "oxc-parser"

/** `typeOnly` is erased when types are stripped. */
export interface Import {
  readonly specifier: string
  readonly line: number
  readonly typeOnly: boolean
}

/** Every import of a module; fails when it cannot be read. */
export const importsOf = (path: string, text: string): ReadonlyArray<Import> => {
  const { errors, program } = parseSync(path, text)
  if (errors[0] !== undefined) throw new Error(`${path}: ${errors[0].message}`)
  const imports: Array<Import> = []
  const add = (start: number, specifier: string, typeOnly: boolean) =>
    imports.push({ specifier, line: text.slice(0, start).split("\n").length, typeOnly })
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
  }).visit(program)
  return imports
}

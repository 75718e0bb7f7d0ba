/**
 * Walks the syntax tree of a module.
 */
import { type Node, parseSync } from "oxc-parser"

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

/**
 * Lists as CSV (specification, section 14; docs/finding.md), read back to the JSON that the model expects.
 */
import { Document, Event, Portfolio, Site, SiteCoverage } from "@solar-sites/core/model"
import { Schema, type SchemaAST } from "effect"
import type { Answer } from "./Call.ts"
import type { OperationName } from "./operations.ts"

/** Items by operation. */
const tables: Partial<Record<OperationName, { readonly fields: Schema.Struct.Fields }>> = {
  ...{ listSites: Site, listPortfolios: Portfolio, listDocuments: Document, listEvents: Event },
  listCoverage: SiteCoverage
}

/** Columns of JSON; all others are texts. */
const json = [
  ...["capacity", "capacityKw", "latitude", "longitude", "tags", "attributes", "version", "siteCount", "sizeBytes"],
  ...["sequence", "changes", "complete"]
]

/** Paths of the columns. A list of objects has a row for each. */
const columnsIn = (ast: SchemaAST.AST, path: ReadonlyArray<string> = []): ReadonlyArray<string> => {
  const [meant = ast] = ast._tag === "Union" ? ast.types.filter(({ _tag }) => _tag !== "Null") : []
  const item = meant._tag === "Arrays" ? meant.rest[0] : meant
  return item?._tag === "Objects" && item.propertySignatures.length > 0
    ? item.propertySignatures.flatMap(({ name, type }) => columnsIn(type, [...path, String(name)]))
    : [path.join(".")]
}

const columnsOf = (operation: OperationName): ReadonlyArray<string> =>
  columnsIn(Schema.toType(Schema.Struct(tables[operation]?.fields ?? {})).ast)

export const hasCsv = (operation: OperationName): boolean => operation in tables

/** Null for an empty cell without quotes. */
export const cellsOf = (text: string): ReadonlyArray<ReadonlyArray<string | null>> => {
  const rows: Array<Array<string | null>> = [[]]
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/gy
  while (cell.lastIndex < text.length) {
    const found = cell.exec(text)
    if (found === null) throw new Error(`no CSV: ${text}`)
    const [, quoted, plain = "", end] = found
    rows.at(-1)?.push(quoted === undefined ? plain || null : quoted.replaceAll('""', '"'))
    if (end === "\r\n") rows.push([])
  }
  return rows.slice(0, -1)
}

const cellValue = (cell: string | null, column: string): unknown => {
  if (cell === null) return null
  return json.includes(column) ? JSON.parse(cell) : cell.replace(/^'(?='*[=+\-@\t\r])/, "")
}

type Item = Record<string, unknown>

const nested = (values: ReadonlyArray<readonly [string, unknown]>): Item => {
  const item: Item = {}
  for (const [path, value] of values) {
    const [name = "", inner] = path.split(".")
    item[name] = inner === undefined ? value : Object.assign(item[name] ?? {}, { [inner]: value })
  }
  return item
}

/** Rows of one site are one item. */
const coverageOf = (rows: ReadonlyArray<Item>): ReadonlyArray<Item> => {
  const sites = new Map(rows.map(({ items: _, ...site }) => [site["siteId"], site] as const))
  return [...sites].map(([id, site]) => {
    const items = rows.filter(({ siteId }) => siteId === id).map((row) => Object(row["items"]))
    return { ...site, items: items.filter(({ documentType }) => documentType !== null) }
  })
}

const withoutEmptyManager = (item: Item): Item =>
  Object(item["siteManager"]).name === null ? { ...item, siteManager: null } : item

/** The body of the same answer as JSON; a text that says why there is none. */
export const jsonOfCsv = (operation: OperationName, { headers, text }: Answer): Item | string => {
  const type = headers.get("content-type")
  if (!type?.startsWith("text/csv")) return `expected CSV, found ${type}`
  const [header = [], ...rows] = cellsOf(text)
  const names = header.map(String)
  if (JSON.stringify(names.toSorted()) !== JSON.stringify(columnsOf(operation).toSorted()))
    return `columns ${names.join()}`
  const items = rows.map((cells) =>
    withoutEmptyManager(nested(names.map((name, index) => [name, cellValue(cells[index] ?? null, name)] as const)))
  )
  const [, next] = /<([^>]*)>; rel="next"/.exec(headers.get("link") ?? "") ?? []
  const nextCursor = next === undefined ? null : new URL(next, "http://solar.test").searchParams.get("cursor")
  return { data: operation === "listCoverage" ? coverageOf(items) : items, nextCursor }
}

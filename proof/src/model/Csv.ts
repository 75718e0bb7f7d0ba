/**
 * Lists as CSV (specification, section 14; docs/csv.md), read back to the JSON that the model expects.
 */
import type { Answer } from "./Call.ts"
import type { OperationName } from "./operations.ts"
import { unsetMembers } from "./rules/SiteRecords.ts"

type Kind = "text" | "number" | "boolean" | "list" | "object"

type Columns = Readonly<Record<string, Kind>>

const texts = (...names: ReadonlyArray<string>): Columns =>
  Object.fromEntries(names.map((name) => [name, "text"] as const))

const common: Columns = { ...texts("id", "organisationId", "createdAt", "updatedAt"), version: "number" }

/** By operation: the names of JSON members with their types. */
const tables: Partial<Record<OperationName, Columns>> = {
  listSites: {
    ...common,
    ...texts("siteName", "unit", "address", "portfolioId", "coverImageUrl", "externalId", ...unsetMembers),
    ...texts(...["name", "email", "phone", "company", "userId"].map((name) => `siteManager.${name}`)),
    ...{ capacity: "number", capacityKw: "number", latitude: "number", longitude: "number" },
    ...{ tags: "list", attributes: "object" }
  },
  listPortfolios: { ...common, ...texts("name", "externalId"), siteCount: "number", capacityKw: "number" },
  listDocuments: {
    ...common,
    ...texts("siteId", "type", "documentType", "filename", "path", "status", "mimeType", "uploadedBy", "omRecordId"),
    ...texts("failureReason", "note", "validFrom", "validUntil", "replaces", "replacedBy"),
    sizeBytes: "number"
  },
  listEvents: {
    ...texts("id", "type", "occurredAt", "siteId", "requestId"),
    ...texts("actor.userId", "actor.apiKeyId", "actor.keyPrefix", "subject.type", "subject.id", "subject.name"),
    ...{ sequence: "number", changes: "object" }
  },
  listCoverage: {
    ...texts("siteId", "siteName", "portfolioId"),
    ...texts("items.documentType", "items.state", "items.documentId", "items.validUntil"),
    complete: "boolean"
  }
}

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

const cellValue = (cell: string | null, kind: Kind): unknown => {
  if (cell === null) return null
  return kind === "text" ? cell.replace(/^'(?='*[=+\-@\t\r])/, "") : JSON.parse(cell)
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
  const columns = tables[operation] ?? {}
  const type = headers.get("content-type")
  if (!type?.startsWith("text/csv")) return `expected CSV, found ${type}`
  const [header = [], ...rows] = cellsOf(text)
  const names = header.map(String)
  if (JSON.stringify(names.toSorted()) !== JSON.stringify(Object.keys(columns).sort())) return `columns ${names.join()}`
  const items = rows.map((cells) =>
    withoutEmptyManager(
      nested(names.map((name, index) => [name, cellValue(cells[index] ?? null, columns[name] ?? "text")] as const))
    )
  )
  const [, next] = /<([^>]*)>; rel="next"/.exec(headers.get("link") ?? "") ?? []
  const nextCursor = next === undefined ? null : new URL(next, "http://solar.test").searchParams.get("cursor")
  return { data: operation === "listCoverage" ? coverageOf(items) : items, nextCursor }
}

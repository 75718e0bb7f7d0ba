/**
 * Lists as CSV (RFC 4180): a header row with the names of the JSON members, then one row per item.
 * Members of objects have columns of their own, such as `siteManager.name`. An array of objects
 * gives a row for each of them; other arrays and records are JSON in one cell.
 */
import { type CurrentCaller, contentDisposition, csvLine, firstPageSize, type List } from "@solar-sites/core"
import { Effect, Schema, type SchemaAST } from "effect"
import { HttpServerResponse } from "effect/http"
import { jsonData } from "../pipeline/JsonText.ts"
import { followingPages, type ListQuery, replyStream } from "./ListReply.ts"

type Path = ReadonlyArray<string>
type Members = Readonly<Record<string, unknown>>

const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const membersOf = (ast: SchemaAST.AST): SchemaAST.Objects["propertySignatures"] => {
  switch (ast._tag) {
    case "Objects":
      return ast.propertySignatures
    case "Union":
      return ast.types.flatMap(membersOf)
    case "Arrays":
      return ast.rest.flatMap(membersOf)
    default:
      return []
  }
}

const pathsOf = (ast: SchemaAST.AST, path: Path = []): ReadonlyArray<Path> => {
  const members = membersOf(ast)
  return members.length === 0 ? [path] : members.flatMap(({ name, type }) => pathsOf(type, [...path, String(name)]))
}

const cellOf = (item: unknown, path: Path) => {
  let value = item
  for (const name of path) value = isMembers(value) ? value[name] : null
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value
  return typeof value === "object" && value !== null ? JSON.stringify(value) : null
}

/** How items of one schema become lines. */
interface Table {
  readonly header: string
  readonly lines: (page: List<unknown>) => string
}

const tableOf = (item: Schema.Top): Table => {
  const { ast } = Schema.toEncoded(item)
  const paths = pathsOf(ast)
  const repeated = membersOf(ast).find(({ type }) => type._tag === "Arrays" && membersOf(type).length > 0)?.name
  const rowsOf = (value: Members): ReadonlyArray<Members> => {
    const parts = repeated === undefined ? undefined : value[String(repeated)]
    if (!Array.isArray(parts)) return [value]
    return (parts.length === 0 ? [null] : parts).map((part) => ({ ...value, [String(repeated)]: part }))
  }
  const line = (row: Members) => `${csvLine(paths.map((path) => cellOf(row, path)))}\r\n`
  return {
    header: `${csvLine(paths.map((path) => path.join(".")))}\r\n`,
    lines: (page) => {
      const items: ReadonlyArray<Members> = JSON.parse(`[${jsonData(page)}]`)
      return items.flatMap(rowsOf).map(line).join("")
    }
  }
}

const contentType = "text/csv; charset=utf-8"

/**
 * Replies with a list of `item` as the file `${noun}.csv`: one page with `limit`, all pages without.
 * The address of the next page is in the header `Link`.
 */
export const csvReplyOf = (noun: string, item: Schema.Top) => {
  const { header, lines } = tableOf(item)
  const disposition = { "content-disposition": contentDisposition(`${noun}.csv`) }
  return <Query extends ListQuery, E>(
    query: Query,
    pageAt: (cursor: string) => string,
    list: (query: Query) => Effect.Effect<List<unknown>, E, CurrentCaller>
  ): Effect.Effect<HttpServerResponse.HttpServerResponse, E, CurrentCaller> =>
    Effect.flatMap(list({ ...query, limit: query.limit ?? firstPageSize }), (first) => {
      const begin = header + lines(first)
      const { nextCursor } = first
      if (nextCursor !== null && query.limit === undefined) {
        return replyStream(begin, followingPages(query, list, nextCursor, lines), {
          contentType,
          headers: disposition
        })
      }
      const link = nextCursor === null ? {} : { link: `<${pageAt(nextCursor)}>; rel="next"` }
      return Effect.succeed(HttpServerResponse.text(begin, { contentType, headers: { ...disposition, ...link } }))
    })
}

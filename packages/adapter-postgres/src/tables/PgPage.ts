/**
 * Lists in pages by keyset: the first page and the ones after it are two texts,
 * since a condition that may be absent would keep the server from starting in the
 * middle of the index.
 */
import type { Page, PageRequest, RepositoryError } from "@solar-sites/core"
import { Effect } from "effect"
import type { PgParameter } from "../client/PgDriver.ts"
import type { PgClient } from "../PgClient.ts"
import { type PgStatement, reading, readingText } from "../repositories/PgStatement.ts"

/** Fetches a page and one row more. Its parameters are those of the statement, in order. */
export type PgPages<Answer> = (
  page: PageRequest<string>,
  ...parameters: Array<PgParameter>
) => Effect.Effect<Answer, RepositoryError>

/**
 * A page may be as large as the first of these that holds it, or as large as it
 * likes. The server does not know a limit that is a parameter, and takes it for a
 * tenth of all rows; so it would plan each page anew, for half of what the page
 * costs, with the limit as it is. Within a limit that it knows it does not.
 */
const knownLimits = [101, 1_001]

/** `aggregate` is what is answered of the rows, which the statement calls x. */
const pagesOf = <Answer>(
  reading: (text: string) => PgStatement<Answer>,
  aggregate: string,
  id: string,
  count: number,
  select: (rest: string) => string
): PgPages<Answer | null> => {
  const within = (most: string) => {
    const fetch = (condition: string) => {
      const rows = select(`${condition} order by ${id} ${most}`)
      return reading(`select ${aggregate} from (select * from (${rows}) y limit $${count + 1}::int) x`)
    }
    return { first: fetch(""), next: fetch(`and ${id} > $${count + 2}::uuid`) }
  }
  const known = knownLimits.map((limit) => ({ limit, ...within(`limit ${limit}`) }))
  const unknown = within("")

  return ({ after, limit }, ...parameters) => {
    const rows = limit + 1
    const { first, next } = known.find((one) => rows <= one.limit) ?? unknown
    return after === null ? first(...parameters, rows) : next(...parameters, rows, after)
  }
}

/**
 * `select` completes the statement with what follows its own conditions. `count`
 * is how many parameters these have; two more are added.
 */
export const pages = <Row>(
  client: PgClient["Service"],
  operation: string,
  id: string,
  count: number,
  select: (rest: string) => string
): PgPages<ReadonlyArray<Row>> => {
  const rowsOf = (text: string) => reading<ReadonlyArray<Row>>(client, operation, text)
  const fetch = pagesOf(rowsOf, "'[' || string_agg(to_json(x)::text, ',') || ']'", id, count, select)
  return (...page) => Effect.map(fetch(...page), (found) => found ?? [])
}

/** The same with a text that `aggregate` makes of all rows; null where there is none. */
export const textPages = (
  client: PgClient["Service"],
  operation: string,
  id: string,
  count: number,
  select: (rest: string) => string,
  aggregate: string
): PgPages<string | null> => pagesOf((text) => readingText(client, operation, text), aggregate, id, count, select)

/** The page without the row that only tells whether there is more. */
export const pageOf = <Row, Item>(rows: ReadonlyArray<Row>, limit: number, toItem: (row: Row) => Item): Page<Item> => ({
  items: rows.slice(0, limit).map(toItem),
  hasMore: rows.length > limit
})

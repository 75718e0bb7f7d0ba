/**
 * Lists in pages by keyset: the first page and the ones after it are two texts,
 * since a condition that may be absent would keep the server from starting in the
 * middle of the index.
 */
import type { Page, PageRequest, RepositoryError } from "@solar-sites/core"
import { Effect } from "effect"
import type { PgClient } from "./PgClient.ts"
import type { PgParameter } from "./PgDriver.ts"
import { type PgStatement, reading, readingText } from "./PgStatement.ts"

/** Fetches a page and one row more. Its parameters are those of the statement, in order. */
export type PgPages<Answer> = (
  page: PageRequest<string>,
  ...parameters: Array<PgParameter>
) => Effect.Effect<Answer, RepositoryError>

/** `aggregate` is what is answered of the rows, which the statement calls x. */
const pagesOf = <Answer>(
  reading: (text: string) => PgStatement<Answer>,
  aggregate: string,
  id: string,
  count: number,
  select: (rest: string) => string
): PgPages<Answer | null> => {
  const fetch = (rest: string) => reading(`select ${aggregate} from (${select(rest)}) x`)
  const limit = `order by ${id} limit $${count + 1}::int`
  const first = fetch(limit)
  const next = fetch(`and ${id} > $${count + 2}::uuid ${limit}`)

  return (page, ...parameters) =>
    page.after === null ? first(...parameters, page.limit + 1) : next(...parameters, page.limit + 1, page.after)
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

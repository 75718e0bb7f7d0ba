/**
 * Lists in pages by keyset: the first page and the ones after it are two texts,
 * since a condition that may be absent would keep the server from starting in the
 * middle of the index.
 */
import type { Page, PageRequest, RepositoryError } from "@solar-sites/core"
import { Effect } from "effect"
import type { PgClient } from "./PgClient.ts"
import type { PgParameter } from "./PgDriver.ts"
import { reading } from "./PgStatement.ts"

/** Fetches a page and one row more. Its parameters are those of the statement, in order. */
export type PgPages<Row> = (
  page: PageRequest<string>,
  ...parameters: Array<PgParameter>
) => Effect.Effect<ReadonlyArray<Row>, RepositoryError>

/**
 * `json` makes text of a row, which the statement calls x; `select` completes the
 * statement with what follows its own conditions. `count` is how many parameters
 * these have; two more are added.
 */
export const pages = <Row>(
  client: PgClient["Service"],
  operation: string,
  id: string,
  count: number,
  select: (rest: string) => string,
  json = "to_json(x)::text"
): PgPages<Row> => {
  const fetch = (rest: string) =>
    reading<ReadonlyArray<Row>>(
      client,
      operation,
      `select '[' || string_agg(${json}, ',') || ']' from (${select(rest)}) x`
    )
  const limit = `order by ${id} limit $${count + 1}::int`
  const first = fetch(limit)
  const next = fetch(`and ${id} > $${count + 2}::uuid ${limit}`)

  return (page, ...parameters) => {
    const rows =
      page.after === null ? first(...parameters, page.limit + 1) : next(...parameters, page.limit + 1, page.after)
    return Effect.map(rows, (found) => found ?? [])
  }
}

/** The page without the row that only tells whether there is more. */
export const pageOf = <Row, Item>(rows: ReadonlyArray<Row>, limit: number, toItem: (row: Row) => Item): Page<Item> => ({
  items: rows.slice(0, limit).map(toItem),
  hasMore: rows.length > limit
})

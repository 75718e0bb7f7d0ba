/**
 * Lists in pages by keyset: the first page and the ones after it are two texts,
 * since a condition that may be absent would keep the server from starting in the
 * middle of the index.
 */
import type { Page, PageRequest, RepositoryError } from "@solar-sites/core"
import { Effect } from "effect"
import type { PgParameter, PgRows } from "../client/PgStatement.ts"
import type { PgClient } from "../PgClient.ts"
import { answerOf, textOf } from "../repositories/PgJsonStatement.ts"

/** Fetches a page and one row more. Its parameters are those of the statement, in order; the organisation comes first. */
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

/** `aggregate` composes the answer from the rows, which the statement calls x. */
const pagesOf = <Answer>(
  { run }: PgClient["Service"],
  operation: string,
  id: string,
  count: number,
  select: (rest: string) => string,
  aggregate: string,
  decode: (rows: PgRows) => Answer
): PgPages<Answer> => {
  const within = (most: string) => {
    const textOf = (condition: string) => {
      const rows = select(`${condition} order by ${id} ${most}`)
      return `select ${aggregate} from (select * from (${rows}) y limit $${count + 1}::int) x`
    }
    return { first: textOf(""), next: textOf(`and ${id} > $${count + 2}::uuid`) }
  }
  const known = knownLimits.map((limit) => ({ limit, ...within(`limit ${limit}`) }))
  const unknown = within("")

  return ({ after, limit }, ...conditions) => {
    const rows = limit + 1
    const { first, next } = known.find((one) => rows <= one.limit) ?? unknown
    const text = after === null ? first : next
    const parameters = after === null ? [...conditions, rows] : [...conditions, rows, after]
    const scope = count === 0 ? "none" : { organisationId: String(conditions[0]) }
    return Effect.map(run({ operation, text, parameters, readOnly: true, scope }), decode)
  }
}

/**
 * `select` completes the statement with what follows its own conditions. `count`
 * is how many parameters these have; two more are added. Without any the list is
 * one of organisations.
 */
export const pages = <Row>(
  client: PgClient["Service"],
  operation: string,
  id: string,
  count: number,
  select: (rest: string) => string
): PgPages<ReadonlyArray<Row>> => {
  const aggregate = "'[' || string_agg(to_json(x)::text, ',') || ']'"
  const decode = (rows: PgRows) => answerOf<ReadonlyArray<Row>>(rows) ?? []
  return pagesOf(client, operation, id, count, select, aggregate, decode)
}

/** The same with a text that `aggregate` makes of all rows; null where there is none. */
export const textPages = (
  client: PgClient["Service"],
  operation: string,
  id: string,
  count: number,
  select: (rest: string) => string,
  aggregate: string
): PgPages<string | null> => pagesOf(client, operation, id, count, select, aggregate, textOf)

/** The page without the row that only tells whether there is more. */
export const pageOf = <Row, Item>(rows: ReadonlyArray<Row>, limit: number, toItem: (row: Row) => Item): Page<Item> => ({
  items: rows.slice(0, limit).map(toItem),
  hasMore: rows.length > limit
})

/**
 * Lists in pages by keyset. The first page and those after it have texts of their own: with an
 * optional condition the server could not start in the middle of the index.
 */
import {
  MaximumPageBytes,
  type Page,
  type PageRequest,
  type RepositoryError,
  uncountedPageSize
} from "@solar-sites/core"
import { Effect } from "effect"
import type { PgParameter } from "../client/PgStatement.ts"
import { type PgText, sql } from "../client/PgText.ts"
import type { PgClient } from "../PgClient.ts"
import { boundedPageText, pageFromText, pageText } from "../tables/PageText.ts"
import type { Table } from "../tables/Table.ts"
import { textOf } from "./PgJsonStatement.ts"

/** A list. `given` are the values that its rows share; `conditions` are the parameters of `select`. */
type PgPages<Model, Given extends keyof Model> = (
  page: PageRequest<string>,
  given: Pick<Model, Given>,
  ...conditions: Array<PgParameter>
) => Effect.Effect<Page<Model>, RepositoryError>

interface Listing<Model, Given extends keyof Model> {
  readonly operation: string
  readonly table: Table<Model, Given>
  readonly id: string
  /** Selects the rows, given further conditions and the order. */
  readonly select: (rest: string) => PgText
  /** How many parameters `select` has. The first is the organisation; a list of organisations has none. */
  readonly parameters: number
  /** As for `pageFromText`. */
  readonly isShownAsStored?: (row: string) => boolean
}

/**
 * Upper limits that stand in the text of a statement; larger pages have none. The server takes a
 * limit in a parameter for a tenth of all rows. It would plan each page anew with the actual limit,
 * which takes half as long as the page itself.
 */
const textLimits = [uncountedPageSize + 1, 101, 1_001]

/** Fetches one row more than the page holds, to learn whether there are more. */
export const pages = <Model extends { readonly id: string }, Given extends Exclude<keyof Model, "id">>(
  { run }: PgClient["Service"],
  { id, isShownAsStored, operation, parameters: count, select, table }: Listing<Model, Given>
): PgPages<Model, Given> => {
  const texts = (limit: string, isBounded: boolean) => {
    const statement = (condition: string, bytes: number) => {
      const rows = sql`select * from (${select(`${condition} order by ${id} ${limit}`)}) y limit $${count + 1}::int`
      return isBounded ? boundedPageText(table, rows, `$${bytes}::bigint`) : pageText(table, rows)
    }
    return { first: statement("", count + 2), next: statement(`and ${id} > $${count + 2}::uuid`, count + 3) }
  }
  const limited = textLimits.map((limit) => ({ limit, ...texts(`limit ${limit}`, limit - 1 > uncountedPageSize) }))
  const unlimited = texts("", true)

  return ({ after, limit }, given, ...conditions) => {
    const { first, next } = limited.find((one) => limit < one.limit) ?? unlimited
    const position = after === null ? [] : [after]
    const scope = count === 0 ? "none" : { organisationId: String(conditions[0]) }
    const page = (...bytes: ReadonlyArray<number>) => {
      const parameters = [...conditions, limit + 1, ...position, ...bytes]
      const statement = { operation, text: after === null ? first : next, parameters, readOnly: true, scope } as const
      return Effect.map(run(statement), (rows) => pageFromText(textOf(rows), { table, given, limit, isShownAsStored }))
    }
    return limit > uncountedPageSize ? Effect.flatMap(MaximumPageBytes, page) : page()
  }
}

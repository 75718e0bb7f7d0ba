/**
 * Lists in pages by keyset. The first page and those after it have texts of their own: with an
 * optional condition the server could not start in the middle of the index.
 */
import type { Page, PageRequest, RepositoryError } from "@solar-sites/core"
import { Effect } from "effect"
import type { PgParameter } from "../client/PgStatement.ts"
import type { PgClient } from "../PgClient.ts"
import { pageFromText, pageText } from "../tables/PageText.ts"
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
  readonly select: (rest: string) => string
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
const textLimits = [101, 1_001]

/** Fetches one row more than the page holds, to learn whether there are more. */
export const pages = <Model extends { readonly id: string }, Given extends Exclude<keyof Model, "id">>(
  { run }: PgClient["Service"],
  { id, isShownAsStored, operation, parameters: count, select, table }: Listing<Model, Given>
): PgPages<Model, Given> => {
  const texts = (limit: string) => {
    const statement = (condition: string) => {
      const rows = select(`${condition} order by ${id} ${limit}`)
      return `select ${pageText(table, "x")} from (select * from (${rows}) y limit $${count + 1}::int) x`
    }
    return { first: statement(""), next: statement(`and ${id} > $${count + 2}::uuid`) }
  }
  const limited = textLimits.map((limit) => ({ limit, ...texts(`limit ${limit}`) }))
  const unlimited = texts("")

  return ({ after, limit }, given, ...conditions) => {
    const { first, next } = limited.find((one) => limit < one.limit) ?? unlimited
    const parameters = [...conditions, limit + 1]
    const statement = after === null ? { text: first, parameters } : { text: next, parameters: [...parameters, after] }
    const scope = count === 0 ? "none" : { organisationId: String(conditions[0]) }
    return Effect.map(run({ operation, ...statement, readOnly: true, scope }), (rows) =>
      pageFromText(textOf(rows), { table, given, limit, ...(isShownAsStored === undefined ? {} : { isShownAsStored }) })
    )
  }
}

/**
 * Conditions and orders of lists.
 */
import { type PortfolioId, type Reach, reachParts, searchedWords } from "@solar-sites/core"
import type { DateTime } from "effect"
import type { PgParameter } from "../client/PgStatement.ts"
import type { PgText } from "../client/PgText.ts"
import { arrayText, instant, toMilliseconds, uuidsIn } from "../tables/SqlValues.ts"

/** A condition on a row `x`. `value` is undefined when it is not given. */
export interface PgCondition {
  readonly value: PgParameter | undefined
  /** The type of its parameter. */
  readonly type: string
  readonly sql: (parameter: string) => PgText | string
  /** The server may sort the rows with it, so their ids are found first. */
  readonly isSorted?: true
  /**
   * Takes long. Where it is given, it is tried on rows in the order of the list, until there are enough. `isSorted`
   * goes with it.
   */
  readonly isCostly?: true
}

/** How the value of an order is read from a row `x` and from a parameter. */
export interface PgOrder {
  readonly sql: string
  readonly parameter: (value: string) => string
  readonly isNullable?: true
}

/** The parameter of a reach: the ids of its portfolios as an array, or null. */
export const reachParameter = (reach: Reach): string | null => {
  const { portfolioIds } = reachParts(reach)
  return portfolioIds === null ? null : arrayText(portfolioIds)
}

/** The only portfolio of a reach. Its lists are those of the portfolio. */
export const onlyOf = (portfolioIds: ReadonlyArray<PortfolioId> | null): PortfolioId | undefined =>
  portfolioIds?.length === 1 ? portfolioIds[0] : undefined

/** SQL condition: the portfolio of a row is within the reach that is given as the parameter. Never null. */
export const isWithin = (parameter: string, portfolioId = "s.portfolio_id"): string =>
  `(${parameter}::text is null or coalesce(${portfolioId} = any (${uuidsIn(`${parameter}::text`)}), false))`

/** Patterns of `like`. The longest word comes first: most rows fail it. */
export const patternsOf = (q: string): string =>
  arrayText(
    searchedWords(q)
      .toSorted((a, b) => b.length - a.length)
      .map((word) => `%${word.replace(/[%_\\]/g, "\\$&")}%`)
  )

/**
 * SQL condition: the searched text of a row has all patterns of the array. The array is selected, so that the server reads it
 * once: in a condition it would read its text again for each row.
 */
export const hasWords = (patterns: string): string => `x.search like all ((select ${patterns})::text[])`

/** The name of a row, folded. */
export const byName: PgOrder = {
  sql: `split_part(x.search, E'\\n', 1)`,
  parameter: (value) => value
}

export const byUpdate: PgOrder = { sql: "x.updated_at", parameter: instant }

/** The column has the value. */
export const equal = (column: string, type: string, value: PgParameter | undefined): PgCondition => ({
  value,
  type,
  sql: (given) => `x.${column} = ${given}`
})

/** Updated after the instant. */
export const afterInstant = (given: DateTime.Utc | undefined): PgCondition => ({
  value: given === undefined ? undefined : toMilliseconds(given),
  type: "float8",
  sql: (value) => `x.updated_at > ${instant(value)}`,
  isSorted: true
})

/** SQL condition: a row comes after the one with the id and the value, which is null when it has none. */
export const isBehind = (
  idColumn: string,
  order: PgOrder | undefined,
  direction: "asc" | "desc",
  id: string,
  value: string | null
): string => {
  const comparison = direction === "asc" ? ">" : "<"
  if (order === undefined) return `${idColumn} ${comparison} ${id}`
  if (value === null) {
    const isLater = `${order.sql} is null and ${idColumn} ${comparison} ${id}`
    return direction === "asc" ? isLater : `(${isLater} or ${order.sql} is not null)`
  }
  const isLater = `(${order.sql}, ${idColumn}) ${comparison} (${order.parameter(value)}, ${id})`
  return order.isNullable && direction === "asc" ? `(${isLater} or ${order.sql} is null)` : isLater
}

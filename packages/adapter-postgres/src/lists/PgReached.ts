/**
 * Where the rows of a list belong, for callers that are limited to portfolios.
 */
import type { PgText } from "../client/PgText.ts"

/** `column` of a row is one of the ids `id` that the SQL selects for an array of ids of portfolios. */
export interface PgReached {
  readonly column: string
  readonly ids: (portfolioIds: string) => PgText | string
  /** There are no more ids than portfolios. */
  readonly areFew?: true
}

/** Rows with the id of a portfolio. */
export const inPortfolio = (column: string): PgReached => ({
  column,
  ids: (portfolioIds) => `select p.id from unnest(${portfolioIds}) as p (id)`,
  areFew: true
})

/**
 * How many rows of each of many parts are read first: three times their share of a page, as a power of two, so that
 * there are few texts. Null for few parts, of which each is read for a whole page.
 */
export const headsOf = (rows: number, parts: number): number | null =>
  parts <= 5 ? null : 2 ** Math.ceil(Math.log2((3 * rows) / parts))

/**
 * Statements as data: all that the client knows about one before it sends it.
 */
import type { Duration } from "effect"
import type { PgText } from "./PgText.ts"

/** A parameter of a statement. Instants are milliseconds, structures are JSON text. */
export type PgParameter = string | number | boolean | null

/** The rows of an answer, each as the values of its columns in order. */
export type PgRows = ReadonlyArray<ReadonlyArray<unknown>>

/**
 * The rows a statement may see under row-level security: those of one
 * organisation, or of some of its portfolios; with `acrossOrganisations` those that key look-ups and maintenance
 * read in all organisations; with `none` no row of a protected table.
 */
export type PgScope = OwnScope | "acrossOrganisations" | "none"

export interface OwnScope {
  readonly organisationId: string
  readonly portfolioIds?: ReadonlyArray<string> | null
}

/** An organisation, or some portfolios of it. */
export type PgReach = string | OwnScope

export const reachOf = (organisationId: string, portfolioIds: ReadonlyArray<string> | undefined): PgReach =>
  portfolioIds === undefined ? organisationId : { organisationId, portfolioIds }

export const scopeOf = (reach: PgReach): OwnScope => (typeof reach === "string" ? { organisationId: reach } : reach)

/** One statement. `operation` names the port method in errors. */
export interface PgStatement {
  readonly operation: string
  /**
   * With parameters it is prepared, and kept on each connection, so it is a constant: a query, or a change
   * with `returning`. Other statements, and those that change rows in their `with`, are made by `sql`. A
   * text without parameters may hold several statements of any kind.
   */
  readonly text: PgText | string
  readonly parameters?: ReadonlyArray<PgParameter>
  /**
   * The statement only reads, or a second or late execution changes nothing more.
   * It is repeated once after a lost connection, and may still be executed after
   * its caller got a timeout. Default: false.
   */
  readonly readOnly?: boolean
  /** What it may see when it only reads, and what it may write otherwise. Default: `none`. */
  readonly scope?: PgScope
  /** Replaces the `queryTimeout` of the client. */
  readonly timeout?: Duration.Input
}

/**
 * A statement about any number of items of one organisation. Its first parameter
 * is the organisation, the others hold the items. `Answer` holds for all items.
 */
export interface PgBatchedStatement<Item, Answer> {
  readonly operation: string
  readonly text: PgText | string
  readonly readOnly: boolean
  readonly parameters: (items: ReadonlyArray<Item>) => ReadonlyArray<PgParameter>
  readonly decode: (rows: PgRows) => Answer
}

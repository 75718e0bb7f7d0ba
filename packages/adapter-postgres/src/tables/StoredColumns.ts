/**
 * The stored columns of records, for tools that copy rows as they are. They follow the declaration
 * of each table.
 *
 * @since 0.1.0
 */
import { documentTable } from "./DocumentTable.ts"
import { portfolioTable } from "./PortfolioTable.ts"
import { siteTable } from "./SiteTable.ts"
import type { StoredColumn } from "./Table.ts"

export type { StoredColumn }

/**
 * @category tables
 * @since 0.1.0
 */
export const portfolio: ReadonlyArray<StoredColumn> = portfolioTable.stored

/**
 * @category tables
 * @since 0.1.0
 */
export const site: ReadonlyArray<StoredColumn> = siteTable.stored

/**
 * @category tables
 * @since 0.1.0
 */
export const document: ReadonlyArray<StoredColumn> = documentTable.stored

/**
 * The stored columns of records, for tools that copy rows as they are. They follow the declaration
 * of each table.
 */
import { documentTable } from "./DocumentTable.ts"
import { portfolioTable } from "./PortfolioTable.ts"
import { siteTable } from "./SiteTable.ts"
import type { StoredColumn } from "./Table.ts"

export type { StoredColumn }

export const portfolio: ReadonlyArray<StoredColumn> = portfolioTable.stored

export const site: ReadonlyArray<StoredColumn> = siteTable.stored

export const document: ReadonlyArray<StoredColumn> = documentTable.stored

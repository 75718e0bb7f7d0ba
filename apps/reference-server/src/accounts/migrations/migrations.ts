/**
 * The migrations of this server's own tables, after those of the library.
 */
import type { Migration } from "@solar-sites/adapter-postgres"
import * as accounts from "./0001_accounts.ts"
import * as deletedOrganisations from "./0002_deleted_organisations.ts"

/**
 * In the order in which they are applied. One that has been published never
 * changes.
 */
export const migrations: ReadonlyArray<Migration> = [
  { name: "console_0001_accounts", sql: accounts.sql },
  { name: "console_0002_deleted_organisations", sql: deletedOrganisations.sql }
]

/** Keeps everything of `@solar-sites/core` in Postgres. */

export { citusSql, distribute } from "./citus/CitusSql.ts"
export type { PgSql, PgSsl } from "./client/PgDriver.ts"
export type { PgClientOptions, PgLayerOptions } from "./client/PgOptions.ts"
export type { PgBatchedStatement, PgParameter, PgRows, PgScope, PgStatement } from "./client/PgStatement.ts"
export { changedTable, mainChange, mainQuery, PgText, sql, table } from "./client/PgText.ts"
export type { Migration } from "./migrations/migrations.ts"
export type { MigrationPromises, NotAwaitable } from "./migrations/PgMigrationPromises.ts"
export {
  DatabaseTooNew,
  MigrationChanged,
  type MigrationFailure,
  type Migrations,
  migrate,
  migrationSql,
  pendingMigrations,
  promises,
  withMigrations
} from "./migrations/PgMigrations.ts"
export { layer, layerConfig, layerFrom, layerPorts, type PgPorts } from "./PgAdapters.ts"
export { PgClient } from "./PgClient.ts"
export * as PgApiKeyRemoval from "./records/PgApiKeyRemoval.ts"
export * as PgEventLog from "./records/PgEventLog.ts"
export { rowLevelSecuritySql } from "./security/PgRowLevelSecurity.ts"
export * as PgStoredColumns from "./tables/StoredColumns.ts"

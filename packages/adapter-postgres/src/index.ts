/** Keeps everything of `@solar-sites/core` in Postgres. */

export { citusSql, distribute } from "./citus/CitusSql.ts"
export type { PgSql, PgSsl } from "./client/PgDriver.ts"
export { type PgNamedOptions, type PgNamedStatement, statement } from "./client/PgNamedStatement.ts"
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
export { layer, layerConfig, layerFrom, layerPorts, layerPortsWith, type PgPorts } from "./PgAdapters.ts"
export { PgClient } from "./PgClient.ts"
export { type KindTableDetails, kindTable } from "./records/KindTable.ts"
export * as PgEventLog from "./records/PgEventLog.ts"
export type { PgRecordsOptions } from "./records/PgRecords.ts"
export type { KindTable } from "./records/RecordTables.ts"
export { type RowLevelSecurityOptions, rowLevelSecuritySql, type SecuredTable } from "./security/PgRowLevelSecurity.ts"
export * as PgColumn from "./tables/Column.ts"
export * as PgStoredColumns from "./tables/StoredColumns.ts"

/**
 * Keeps everything of `@solar-sites/core` in Postgres.
 *
 * @since 0.1.0
 */
export type { Migration } from "./migrations/migrations.ts"
export { layer, layerConfig, layerFrom, layerPorts, type PgPorts } from "./PgAdapters.ts"
export { PgClient, type PgClientOptions, type PgLayerOptions, type PgQueryOptions, type PgRows } from "./PgClient.ts"
export type { PgParameter, PgSql, PgSsl } from "./PgDriver.ts"
export {
  DatabaseTooNew,
  MigrationChanged,
  type MigrationFailure,
  type Migrations,
  migrate,
  migrationSql,
  type NotAwaitable,
  pendingMigrations,
  withMigrations
} from "./PgMigrations.ts"
export { rowLevelSecuritySql } from "./PgRowLevelSecurity.ts"

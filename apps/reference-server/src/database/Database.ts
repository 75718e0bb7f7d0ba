/** The configured database, embedded or external, and its migrations. */
import {
  citusSql,
  distribute,
  layerPortsWith,
  type MigrationFailure,
  PgClient,
  type PgPorts,
  rowLevelSecuritySql,
  withMigrations
} from "@solar-sites/adapter-postgres"
import { Effect, Layer, Option } from "effect"
import { accountTables, securedTables } from "../accounts/AccountTables.ts"
import { migrations as ownMigrations } from "../accounts/migrations/migrations.ts"
import type { Settings } from "../configuration/Settings.ts"
import { Failure } from "../Failure.ts"
import { toFailure } from "../Refusals.ts"

const { migrate, migrationSql, pendingMigrations } = withMigrations(ownMigrations)

type DatabaseOf = Pick<Settings, "database" | "dataDirectory">

/**
 * Migrations of an external database: `apply` applies pending ones, `require`
 * fails while some are pending. An embedded database is always migrated.
 */
export type Migrations = "apply" | "require"

const clientOf = ({ database, dataDirectory }: DatabaseOf): Layer.Layer<PgClient, Failure> => {
  const { pooler, poolSize, queryTimeout, rowLevelSecurity, schema, url } = database
  return Option.match(url, {
    // Loaded on demand: PGlite is several megabytes of WebAssembly.
    onNone: () =>
      Layer.unwrap(
        Effect.map(
          Effect.promise(() => import("./EmbeddedDatabase.ts")),
          ({ layer }) => layer({ dataDirectory, schema, queryTimeout })
        )
      ),
    onSome: (url) => PgClient.layer({ url, schema, poolSize, pooler, queryTimeout, rowLevelSecurity })
  })
}

const toFailures = <A, R>(effect: Effect.Effect<A, MigrationFailure, R>): Effect.Effect<A, Failure, R> =>
  Effect.mapError(effect, (error) =>
    error._tag === "RepositoryError" ? toFailure(error) : new Failure({ message: `Stopped, because ${error.message}.` })
  )

const requireMigrated = Effect.fnUntraced(function* (schema: string) {
  const pending = yield* toFailures(pendingMigrations)
  if (pending.length === 0) return
  return yield* new Failure({
    message: `The schema ${schema} of the database is not up to date (pending: ${pending.join(", ")}); run solar-sites migrate first.`
  })
})

/** The ports in the database. Closes it with the scope. */
export const layer = (settings: DatabaseOf, migrations: Migrations): Layer.Layer<PgPorts | PgClient, Failure> => {
  const applies = migrations === "apply" || Option.isNone(settings.database.url)
  const upToDate = applies ? Effect.asVoid(toFailures(migrate)) : requireMigrated(settings.database.schema)
  return layerPortsWith({ tables: accountTables }).pipe(
    Layer.provideMerge(Layer.effectDiscard(upToDate)),
    Layer.provideMerge(clientOf(settings))
  )
}

/** Applies pending migrations; succeeds with their names. */
export const applyMigrations = (settings: DatabaseOf): Effect.Effect<ReadonlyArray<string>, Failure> =>
  Effect.provide(toFailures(migrate), clientOf(settings))

/** Applies pending migrations and distributes the tables; succeeds with the names of both. */
export const applyAndDistribute = (
  settings: DatabaseOf
): Effect.Effect<{ readonly applied: ReadonlyArray<string>; readonly distributed: ReadonlyArray<string> }, Failure> =>
  Effect.provide(toFailures(Effect.all({ applied: migrate, distributed: distribute })), clientOf(settings))

/** The SQL that enables row-level security on all tables. */
export const securitySql = (settings: DatabaseOf): string =>
  rowLevelSecuritySql(settings.database.schema, { tables: securedTables })

/** The SQL that distributes the tables. */
export const distributionSql = (settings: DatabaseOf): string => citusSql(settings.database.schema)

/** The SQL of pending migrations; empty without one. */
export const pendingSql = (settings: DatabaseOf): Effect.Effect<string, Failure> =>
  toFailures(pendingMigrations).pipe(
    Effect.map((pending) => (pending.length === 0 ? "" : migrationSql(settings.database.schema, pending))),
    Effect.provide(clientOf(settings))
  )

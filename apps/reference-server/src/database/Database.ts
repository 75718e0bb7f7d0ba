/**
 * The database of the settings, embedded or external, and whether its schema may
 * be brought up to date without being asked.
 */

import {
  layerPorts,
  type MigrationFailure,
  PgClient,
  type PgPorts,
  withMigrations
} from "@solar-sites/adapter-postgres"
import { Effect, Layer, Option } from "effect"
import { migrations as ownMigrations } from "../accounts/migrations/migrations.ts"
import type { Settings } from "../configuration/Settings.ts"
import { Failure } from "../Failure.ts"
import { toFailure } from "../Refusals.ts"

const { migrate, migrationSql, pendingMigrations } = withMigrations(ownMigrations)

type DatabaseOf = Pick<Settings, "database" | "dataDirectory">

/**
 * An embedded database is brought up to date always. `apply` does the same to an
 * external one, `require` refuses it while migrations are pending.
 */
export type Migrations = "apply" | "require"

const clientOf = ({ database, dataDirectory }: DatabaseOf): Layer.Layer<PgClient, Failure> => {
  const { pooler, poolSize, queryTimeout, schema, url } = database
  return Option.match(url, {
    // PGlite is some megabytes of WebAssembly, which an external database does not need.
    onNone: () =>
      Layer.unwrap(
        Effect.map(
          Effect.promise(() => import("./EmbeddedDatabase.ts")),
          ({ layer }) => layer({ dataDirectory, schema, queryTimeout })
        )
      ),
    onSome: (url) => PgClient.layer({ url, schema, poolSize, pooler, queryTimeout })
  })
}

const explained = <A, R>(effect: Effect.Effect<A, MigrationFailure, R>): Effect.Effect<A, Failure, R> =>
  Effect.mapError(effect, (error) =>
    error._tag === "RepositoryError"
      ? toFailure(error)
      : new Failure({ sentence: `Stopped, because ${error.message}.` })
  )

const requireMigrated = Effect.fnUntraced(function* (schema: string) {
  const pending = yield* explained(pendingMigrations)
  if (pending.length === 0) return
  return yield* new Failure({
    sentence: `The schema ${schema} of the database is not up to date (pending: ${pending.join(", ")}); run solar-sites migrate first.`
  })
})

/** What is kept in the database; it is closed with the scope. */
export const layer = (settings: DatabaseOf, migrations: Migrations): Layer.Layer<PgPorts | PgClient, Failure> => {
  const applies = migrations === "apply" || Option.isNone(settings.database.url)
  const upToDate = applies ? Effect.asVoid(explained(migrate)) : requireMigrated(settings.database.schema)
  return layerPorts.pipe(Layer.provideMerge(Layer.effectDiscard(upToDate)), Layer.provideMerge(clientOf(settings)))
}

/** Applies what is pending and answers the names. */
export const applyMigrations = (settings: DatabaseOf): Effect.Effect<ReadonlyArray<string>, Failure> =>
  Effect.provide(explained(migrate), clientOf(settings))

/** The SQL of what is pending; empty when nothing is. */
export const pendingSql = (settings: DatabaseOf): Effect.Effect<string, Failure> =>
  explained(pendingMigrations).pipe(
    Effect.map((pending) => (pending.length === 0 ? "" : migrationSql(settings.database.schema, pending))),
    Effect.provide(clientOf(settings))
  )

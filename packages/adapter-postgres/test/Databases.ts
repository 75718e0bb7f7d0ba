/**
 * Databases for tests: a schema of one's own on the server of the run, and an
 * embedded Postgres in a folder of one's own.
 */
import { randomBytes } from "node:crypto"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { layerPorts, migrate, PgClient, type PgLayerOptions, type PgPorts } from "@solar-sites/adapter-postgres"
import * as Pglite from "@solar-sites/adapter-postgres/pglite"
import { type Context, Effect, Exit, Layer, Redacted, Scope } from "effect"
import { inject } from "vitest"
import { copyEmptyDatabase } from "./EmptyDatabase.ts"

export type Database = Context.Context<PgPorts | PgClient>

export const postgresUrl = inject("postgresUrl")

/** True where there is no server, which the setup of the run has said why. */
export const withoutPostgres = postgresUrl === ""

export const randomSchema = (): string => `test_${randomBytes(6).toString("hex")}`

/** Options for a pool on the server of the run, which a machine that is busy elsewhere may keep waiting. */
export const options = (schema: string, more: Partial<PgLayerOptions> = {}): PgLayerOptions => ({
  url: Redacted.make(postgresUrl),
  schema,
  queryTimeout: "30 seconds",
  ...more
})

/** Drops the schema when the scope closes. */
export const ownSchema = Effect.fnUntraced(function* (schema: string = randomSchema()) {
  yield* Effect.addFinalizer(() =>
    Effect.gen(function* () {
      const client = yield* PgClient
      yield* client.run({ operation: "drop", text: `drop schema if exists ${client.schema} cascade` })
    }).pipe(Effect.provide(PgClient.layer(options(schema, { queryTimeout: "60 seconds" }))), Effect.orDie)
  )
  return schema
})

/** A migrated schema of its own on the server of the run. */
export const onPostgres = Effect.fnUntraced(function* (more: Partial<PgLayerOptions> = {}) {
  const schema = yield* ownSchema()
  return yield* Layer.build(migrated(PgClient.layer(options(schema, more))))
})

/** A migrated embedded Postgres in a temporary folder. */
export const onPglite = Effect.fnUntraced(function* () {
  const dataDir = join(yield* temporaryFolder, "database")
  yield* Effect.promise(() => copyEmptyDatabase(dataDir))
  return yield* Layer.build(migrated(Pglite.layer({ dataDir, queryTimeout: "30 seconds" })))
})

/** The ports over a client whose schema has been brought up to date. */
export const migrated = <E>(client: Layer.Layer<PgClient, E>) =>
  Layer.effectDiscard(migrate).pipe(Layer.provideMerge(layerPorts), Layer.provideMerge(client))

/** A folder that goes with the scope. */
export const temporaryFolder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "solar-sites-"))),
  (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
)

/** One database for a whole file: opened before its tests, closed after them. */
export const shared = (acquire: Effect.Effect<Database, unknown, Scope.Scope>) => {
  const scope = Scope.makeUnsafe()
  let database: Promise<Database> | undefined
  const open = () => (database ??= Effect.runPromise(Scope.provide(acquire, scope)))
  return {
    layer: Layer.effectContext(Effect.promise(open)),
    open,
    close: () => Effect.runPromise(Scope.close(scope, Exit.void))
  }
}

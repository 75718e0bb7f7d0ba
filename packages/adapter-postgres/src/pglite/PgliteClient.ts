/**
 * An embedded Postgres in a folder: the same driver and the same statements,
 * over a bridge instead of a network.
 *
 * Acknowledged writes survive the end of the process, a kill included, but not a
 * loss of power: nothing is ever flushed to the disk by force. All statements run
 * one after the other in this process, and a `statement_timeout` has no effect.
 *
 * @since 0.1.0
 */
import { PGlite } from "@electric-sql/pglite"
import { Effect, Layer } from "effect"
import { openPool } from "../client/PgDriver.ts"
import type { PgClientOptions } from "../client/PgOptions.ts"
import { renewingSource } from "../client/PgSource.ts"
import { acquirePool, makeClient, PgClient } from "../PgClient.ts"
import { type FolderLocked, FolderUnusable, lockFolder } from "./FolderLock.ts"
import { PgliteBridge } from "./PgliteBridge.ts"

/**
 * `dataDir` is the folder of the database alone, made if need be; the lock is
 * kept beside it, in files of the same name with an ending.
 *
 * @category models
 * @since 0.1.0
 */
export interface PgliteOptions extends PgClientOptions {
  readonly dataDir: string
}

// There is no network that could keep the driver waiting for its greeting.
const connectTimeoutSeconds = 30

// Postgres takes its buffers at the start, of its default 128 MB each page: the files below are in the cache of the operating
// system anyway. 16 MB hold the indexes of some hundred thousand sites.
const buffers = ["-c", "shared_buffers=16MB"]

const acquireDatabase = (folder: string) =>
  Effect.acquireRelease(
    Effect.tryPromise({
      try: () => PGlite.create({ dataDir: folder, startParams: [...PGlite.defaultStartParams, ...buffers] }),
      catch: (cause) => new FolderUnusable({ folder, cause })
    }),
    (database) => Effect.promise(() => database.close())
  )

/**
 * Opens the folder, and nobody else can until the scope closes. The first time
 * takes some seconds. Migrations are the caller's to apply, as everywhere.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (options: PgliteOptions): Layer.Layer<PgClient, FolderLocked | FolderUnusable> =>
  Layer.effect(
    PgClient,
    Effect.gen(function* () {
      const database = yield* acquireDatabase(yield* lockFolder(options.dataDir))
      const open = () =>
        openPool({
          poolSize: 1,
          applicationName: "solar-sites",
          connectTimeout: connectTimeoutSeconds,
          prepare: true,
          socket: async () => new PgliteBridge(database)
        })
      const source = yield* acquirePool(() => renewingSource(open, connectTimeoutSeconds * 1_000))
      // A database in this process cannot vanish: a slow statement is no reason for another connection.
      return PgClient.of(makeClient({ ...source, abandoned: () => {} }, options))
    })
  )

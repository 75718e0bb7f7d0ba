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
import { Config, Effect, Layer } from "effect"
import { openPool } from "../client/PgDriver.ts"
import { checkDatabase, checkEmbedded } from "../client/PgOptionCheck.ts"
import type { PgClientOptions } from "../client/PgOptions.ts"
import { renewingSource } from "../client/PgSource.ts"
import { layerPorts, type PgPorts } from "../PgAdapters.ts"
import { acquirePool, makeClient, PgClient } from "../PgClient.ts"
import { embeddedSettings } from "../PgSettings.ts"
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

const clientOf = (database: PGlite, options: PgClientOptions) => {
  const open = () =>
    openPool({
      poolSize: 1,
      applicationName: "solar-sites",
      connectTimeout: connectTimeoutSeconds,
      prepare: true,
      socket: async () => new PgliteBridge(database)
    })
  // A database in this process cannot vanish: a slow statement is no reason for another connection.
  return Effect.map(
    acquirePool(() => renewingSource(open, connectTimeoutSeconds * 1_000)),
    (source) => PgClient.of(makeClient({ ...source, abandoned: () => {} }, options))
  )
}

/**
 * Opens the folder and locks it until the scope closes. The first time takes some
 * seconds. Provides the ports, and the client for `migrate`. Throws a `TypeError` for a
 * wrong option.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (options: PgliteOptions): Layer.Layer<PgPorts | PgClient, FolderLocked | FolderUnusable> => {
  checkEmbedded(options)
  const opening = Effect.flatMap(lockFolder(options.dataDir), acquireDatabase)
  return Layer.provideMerge(
    layerPorts,
    Layer.effect(
      PgClient,
      Effect.flatMap(opening, (database) => clientOf(database, options))
    )
  )
}

/**
 * Uses a PGlite of the host and never closes it. Nothing locks its folder.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerFrom = (database: PGlite, options: PgClientOptions = {}): Layer.Layer<PgPorts | PgClient> => {
  checkDatabase(database, options)
  return Layer.provideMerge(layerPorts, Layer.effect(PgClient, clientOf(database, options)))
}

/**
 * As `layer`, in `database` below `DATA_DIR`, with the `embeddedSettings` of the environment.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerConfig: Layer.Layer<PgPorts | PgClient, FolderLocked | FolderUnusable | Config.ConfigError> =
  Layer.unwrap(
    Effect.gen(function* () {
      const { dataDirectory, ...options } = yield* Config.all(embeddedSettings)
      return layer({ ...options, dataDir: `${dataDirectory}/database` })
    })
  )

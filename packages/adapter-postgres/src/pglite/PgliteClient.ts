/**
 * An embedded Postgres in a folder: the same driver and the same statements, over
 * a bridge instead of a network.
 *
 * Acknowledged writes survive the end of the process, a kill included. They do not
 * survive a loss of power, since nothing is flushed to the disk. Statements run one
 * after the other in this process, and a `statement_timeout` has no effect. An engine that
 * has stopped, such as on a full disk, is opened again, at most once a second.
 */
import { Config, Effect, Layer } from "effect"
import { openClient } from "../client/PgDriver.ts"
import { checkDatabase, checkEmbedded } from "../client/PgOptionCheck.ts"
import type { PgClientOptions } from "../client/PgOptions.ts"
import { renewingPool } from "../client/PgPool.ts"
import { layerPorts, type PgPorts } from "../PgAdapters.ts"
import { acquirePool, makeClient, PgClient, schemaOf } from "../PgClient.ts"
import { embeddedSettings } from "../PgSettings.ts"
import { type FolderLocked, type FolderUnusable, lockFolder } from "./FolderLock.ts"
import { type PgliteBackend, PgliteBridge } from "./PgliteBridge.ts"
import { acquireDatabase } from "./PgliteDatabase.ts"

/**
 * `dataDir` is the folder of the database, created when it is missing. The lock
 * files lie beside it: its name with the suffixes `.lock` and `.holder.json`, and `.creating` until
 * the database is complete.
 */
export interface PgliteOptions extends PgClientOptions {
  readonly dataDir: string
}

// Only the start of the database delays a connection.
const connectTimeoutSeconds = 30

const clientOf = (database: PgliteBackend, options: PgClientOptions) => {
  const open = () =>
    openClient({
      poolSize: 1,
      applicationName: "solar-sites",
      connectTimeout: connectTimeoutSeconds,
      prepare: true,
      socket: async () => new PgliteBridge(database)
    })
  // A database in this process cannot vanish: a slow statement is no reason to open it again.
  return Effect.map(
    acquirePool(() => renewingPool(open, { ...options, schema: schemaOf(options) })),
    (pool) => PgClient.of(makeClient(pool, options))
  )
}

/**
 * Opens the folder and locks it until the scope closes. Provides the ports, and the client for `migrate`. Throws a
 * `TypeError` for a wrong option.
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

/** Uses a PGlite of the host and never closes it or opens it again. Nothing locks its folder. */
export const layerFrom = (database: PgliteBackend, options: PgClientOptions = {}): Layer.Layer<PgPorts | PgClient> => {
  checkDatabase(database, options)
  return Layer.provideMerge(layerPorts, Layer.effect(PgClient, clientOf(database, options)))
}

/** As `layer`, in `database` below `DATA_DIR`, with the `embeddedSettings` of the environment. */
export const layerConfig: Layer.Layer<PgPorts | PgClient, FolderLocked | FolderUnusable | Config.ConfigError> =
  Layer.unwrap(
    Effect.gen(function* () {
      const { dataDirectory, ...options } = yield* Config.all(embeddedSettings)
      return layer({ ...options, dataDir: `${dataDirectory}/database` })
    })
  )

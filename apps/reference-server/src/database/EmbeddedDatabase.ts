/** Embedded Postgres in a folder below `DATA_DIR`. One process at a time can open it. */
import { join } from "node:path"
import { PgClient } from "@solar-sites/adapter-postgres"
import * as Pglite from "@solar-sites/adapter-postgres/pglite"
import { type Duration, Effect, Layer } from "effect"
import { Failure } from "../Failure.ts"
import { folderRemedy } from "../FolderRemedy.ts"

export interface EmbeddedDatabaseOptions {
  readonly dataDirectory: string
  readonly schema: string
  readonly queryTimeout: Duration.Duration
}

const remedyFor = ({ _tag, message }: Pglite.FolderLocked | Pglite.FolderUnusable): string =>
  _tag === "FolderLocked"
    ? "Stop it first, or set DATA_DIR to another folder; API keys can be managed meanwhile in the console of a running server."
    : folderRemedy(message)

const messageFor = (error: Pglite.FolderLocked | Pglite.FolderUnusable): string =>
  `${error.message.charAt(0).toUpperCase()}${error.message.slice(1).trimEnd().replace(/\.$/, "")}. ${remedyFor(error)}`

/** Opens the database and creates it if missing. Fails when the folder is locked or unusable. */
export const layer = ({
  dataDirectory,
  queryTimeout,
  schema
}: EmbeddedDatabaseOptions): Layer.Layer<PgClient, Failure> =>
  Pglite.layer({ dataDir: join(dataDirectory, "database"), schema, queryTimeout }).pipe(
    Layer.catch((error) => Layer.effect(PgClient, Effect.fail(new Failure({ message: messageFor(error) }))))
  )

/**
 * The client that all ports of this package share: it runs statements on a pool.
 * It sends single statements only, so it works behind a pooler in transaction mode.
 */
import type { RepositoryError } from "@solar-sites/core"
import { Context, Duration, Effect, Layer, Redacted, type Scope } from "effect"
import { parseAddress } from "./client/PgAddress.ts"
import { makeBatch } from "./client/PgBatch.ts"
import { openClient, type PgOwnClient, type PgSql } from "./client/PgDriver.ts"
import { makeExecutor } from "./client/PgExecutor.ts"
import { checkClient, checkOptions } from "./client/PgOptionCheck.ts"
import { defaultQueryTimeout, type PgClientOptions, type PgLayerOptions } from "./client/PgOptions.ts"
import { hostPool, type PgPool, renewingPool } from "./client/PgPool.ts"
import { followPrimary } from "./client/PgPrimary.ts"
import { quoteSchema } from "./client/PgSchema.ts"
import type { PgBatchedStatement, PgReach, PgRows, PgStatement } from "./client/PgStatement.ts"

const closingSeconds = 5
const idleSeconds = 300
// With more, a read could wait for many others while another connection is idle.
const readersPerConnection = 5

/** The quoted name of the schema. */
export const schemaOf = ({ schema = "solar" }: PgClientOptions = {}): string => quoteSchema(schema)

/** The client on a pool. */
export const makeClient = (pool: PgPool, options: PgClientOptions = {}): PgClient["Service"] => {
  const executor = makeExecutor(pool, options.queryTimeout ?? defaultQueryTimeout)
  return {
    schema: schemaOf(options),
    run: executor.run,
    batch: (statement) => makeBatch(executor, statement)
  }
}

/** Opens a pool for a scope. At its end, statements under way have five seconds. */
export const acquirePool = <Pool extends Pick<PgOwnClient, "end">>(
  open: () => Pool
): Effect.Effect<Pool, never, Scope.Scope> =>
  Effect.acquireRelease(Effect.sync(open), (pool) => Effect.promise(() => pool.end({ timeout: closingSeconds })))

/** How to open the connections, again whenever the pool replaces them. */
const opening = (url: Redacted.Redacted<string>, options: PgLayerOptions): (() => PgOwnClient) => {
  const queryTimeout = options.queryTimeout ?? defaultQueryTimeout
  const connectTimeout = options.connectTimeout ?? queryTimeout
  const session = options.pooler !== "transaction"
  const settings = {
    poolSize: options.poolSize ?? 10,
    applicationName: options.applicationName ?? "solar-sites",
    connectTimeout: Duration.toSeconds(connectTimeout),
    idleTimeout: idleSeconds,
    prepare: session,
    ...(session ? { statementTimeout: Duration.toMillis(queryTimeout) } : {}),
    ...(options.ssl === undefined ? {} : { ssl: options.ssl })
  }
  const { hosts, isPrimary } = parseAddress(Redacted.value(url))
  const [first] = hosts
  if (!isPrimary && first !== undefined) return () => openClient({ url: first.url, ...settings })
  const following = {
    poolSize: settings.poolSize,
    connectMillis: Duration.toMillis(connectTimeout),
    timelines: new Map<string, string>()
  }
  const each = hosts.map(({ name, url: own }) => ({
    name,
    open: (onClose: () => void) => openClient({ url: own, onClose, ...settings })
  }))
  return () => followPrimary(each, following)
}

export class PgClient extends Context.Service<
  PgClient,
  {
    /** The quoted name of the schema. */
    readonly schema: string

    /**
     * Runs one statement. It is repeated up to five times when the server rolled it
     * back for certain, once when it only reads and its connection was lost, and once when
     * the server is read-only.
     */
    readonly run: (statement: PgStatement) => Effect.Effect<PgRows, RepositoryError>

    /**
     * Batches items as DataLoader does: items of one reach and one group that
     * come in one turn of the event loop, or while the batch waits for a connection,
     * share a statement. When the server refuses a batch, each item is run alone.
     */
    readonly batch: <Item, Answer>(
      statement: PgBatchedStatement<Item, Answer>
    ) => (reach: PgReach, group: string, item: Item) => Effect.Effect<Answer, RepositoryError>
  }
>()("@solar-sites/adapter-postgres/PgClient") {
  /**
   * Opens connections with the first statement, and closes them with the scope,
   * within five seconds. Connections are replaced when an abandoned statement has no
   * answer a second after its time limit and no other statement was answered
   * meanwhile. Throws a `TypeError` for a wrong option.
   */
  static readonly layer = (options: PgLayerOptions): Layer.Layer<PgClient> => {
    const url = checkOptions(options)
    const open = opening(url, options)
    const acquired = acquirePool(() =>
      renewingPool(open, {
        rowLevelSecurity: options.rowLevelSecurity,
        schema: schemaOf(options),
        mayBeDistributed: true,
        statementMillis: Duration.toMillis(options.queryTimeout ?? defaultQueryTimeout),
        readersPerConnection: options.pooler === "transaction" ? 1 : readersPerConnection
      })
    )
    return Layer.effect(
      PgClient,
      Effect.map(acquired, (pool) => PgClient.of(makeClient(pool, options)))
    )
  }

  /**
   * Uses a postgres.js client of the host, and never closes it. Give it a short
   * `backoff` and a `statement_timeout`. Without the patch of this package, a
   * connection that is cut at the wrong moment can hang until the timeout, or end the
   * process.
   */
  static readonly layerFrom = (sql: PgSql, options?: PgClientOptions): Layer.Layer<PgClient> => {
    checkClient(sql, options)
    const pool = () => hostPool(sql, { ...options, schema: schemaOf(options), mayBeDistributed: true })
    return Layer.sync(PgClient, () => PgClient.of(makeClient(pool(), options)))
  }
}

/**
 * The way to Postgres that all adapters of this package share: a pool, a schema,
 * and one place where statements get their timeout, their repetition and the
 * meaning of their failures. Only single statements ever go to the server, so it
 * works behind a pooler in transaction mode.
 *
 * @since 0.1.0
 */
import { RepositoryError } from "@solar-sites/core"
import { Context, Duration, Effect, Layer, Redacted, type Scope } from "effect"
import { makeBatched } from "./client/PgBatch.ts"
import { openPool, type PgPool, type PgSql } from "./client/PgDriver.ts"
import { isDefect, isRetryable, type PgFailure } from "./client/PgErrors.ts"
import { makeExecute } from "./client/PgExecution.ts"
import { checkClient, checkOptions } from "./client/PgOptionCheck.ts"
import { defaultQueryTimeout, type PgClientOptions, type PgLayerOptions } from "./client/PgOptions.ts"
import { quoteSchema } from "./client/PgSchema.ts"
import { fixedSource, type PgSource, renewingSource } from "./client/PgSource.ts"
import type { PgBatchedStatement, PgRows, PgStatement } from "./client/PgStatement.ts"
import { makeTurnstile } from "./client/PgTurnstile.ts"
import { boundText } from "./security/PgRowLevelSecurity.ts"

const closingSeconds = 5
const idleSeconds = 300
// More would let a reader wait for many others on one connection while another is idle already.
const readersPerConnection = 5

const failing = (operation: string) => (cause: PgFailure) =>
  isDefect(cause)
    ? Effect.die(cause)
    : Effect.fail(new RepositoryError({ operation, retryable: isRetryable(cause), cause }))

/** How statements are run on a pool, whoever opened it. */
export const makeClient = (source: PgSource, options: PgClientOptions = {}): PgClient["Service"] => {
  const rowLevelSecurity = options.rowLevelSecurity ?? false
  // A statement that is bound to its organisation is several for the server.
  const turnstile = makeTurnstile(source.width, rowLevelSecurity ? source.width : source.roomToRead)
  const execute = makeExecute(source, turnstile)

  // A batch is complete when it is sent, and a write has the connection to itself: neither waits for the end of the turn.
  const send = (
    sql: PgSql,
    { parameters = [], readOnly = false, scope = "none", text }: PgStatement,
    atOnce = !readOnly
  ): PromiseLike<PgRows> =>
    sql
      .unsafe(text, [...parameters], {
        prepare: parameters.length > 0,
        atOnce,
        organisationId: typeof scope === "object" ? scope.organisationId : undefined,
        ...(rowLevelSecurity && scope !== "none" ? { bind: boundText(scope) } : {})
      })
      .values()

  const defaultMillis = Duration.toMillis(options.queryTimeout ?? defaultQueryTimeout)

  const run: PgClient["Service"]["run"] = (statement) => {
    const { operation, readOnly = false, timeout } = statement
    const timeoutMillis = timeout === undefined ? defaultMillis : Duration.toMillis(timeout)
    const task = { statement: (sql: PgSql) => send(sql, statement), onlyReads: readOnly, timeoutMillis }
    return Effect.catch(execute(task), failing(operation))
  }

  const batched = makeBatched(source, turnstile)
  const batch: PgClient["Service"]["batch"] = ({ decode, operation, parameter, readOnly, text }) => {
    const runItem = batched({
      send: async (sql, organisationId, items: Parameters<typeof parameter>[0]) => {
        const parameters = [organisationId, parameter(items)]
        return decode(await send(sql, { operation, text, parameters, readOnly, scope: { organisationId } }, true))
      },
      onlyReads: readOnly
    })
    return (organisationId, group, item) =>
      Effect.catch(runItem(organisationId, group, item, defaultMillis), failing(operation))
  }

  return { schema: quoteSchema(options.schema ?? "solar"), run, batch }
}

/** Waits a bounded time for what is under way, then cuts it off. */
export const acquirePool = <Pool extends Pick<PgPool, "end">>(
  open: () => Pool
): Effect.Effect<Pool, never, Scope.Scope> =>
  Effect.acquireRelease(Effect.sync(open), (pool) => Effect.promise(() => pool.end({ timeout: closingSeconds })))

const open = (url: Redacted.Redacted<string>, options: PgLayerOptions): PgPool => {
  const queryTimeout = options.queryTimeout ?? defaultQueryTimeout
  const session = options.pooler !== "transaction"
  return openPool({
    url: Redacted.value(url),
    poolSize: options.poolSize ?? 10,
    applicationName: options.applicationName ?? "solar-sites",
    connectTimeout: Duration.toSeconds(options.connectTimeout ?? queryTimeout),
    idleTimeout: idleSeconds,
    prepare: session,
    ...(session ? { statementTimeout: Duration.toMillis(queryTimeout) } : {}),
    ...(options.ssl === undefined ? {} : { ssl: options.ssl })
  })
}

/**
 * @category services
 * @since 0.1.0
 */
export class PgClient extends Context.Service<
  PgClient,
  {
    /** The schema as it stands in a statement: quoted. */
    readonly schema: string

    /**
     * Runs one statement. A failure that certainly rolled back is repeated up to five
     * times, a read whose connection was lost once, and nothing else.
     */
    readonly run: (statement: PgStatement) => Effect.Effect<PgRows, RepositoryError>

    /**
     * Batches items as DataLoader does: items of one organisation and one group that
     * come in one turn of the event loop, or while the batch waits for a connection,
     * share a statement. When the server refuses a batch, each item is run alone.
     */
    readonly batch: <Item, Answer>(
      statement: PgBatchedStatement<Item, Answer>
    ) => (organisationId: string, group: string, item: Item) => Effect.Effect<Answer, RepositoryError>
  }
>()("@solar-sites/adapter-postgres/PgClient") {
  /**
   * Opens a pool, with the first statement, and closes it with the scope: within
   * five seconds, whatever the server does. A pool that has lost touch with its
   * server is replaced a second after a statement that somebody has given up had
   * all its time, unless others were answered meanwhile. Throws a `TypeError` for a
   * wrong option.
   */
  static readonly layer = (options: PgLayerOptions): Layer.Layer<PgClient> => {
    const url = checkOptions(options)
    const opening = acquirePool(() =>
      renewingSource(
        () => open(url, options),
        Duration.toMillis(options.queryTimeout ?? defaultQueryTimeout),
        options.pooler === "transaction" ? 1 : readersPerConnection
      )
    )
    return Layer.effect(
      PgClient,
      Effect.map(opening, (source) => PgClient.of(makeClient(source, options)))
    )
  }

  /**
   * Uses a postgres.js client of the host's and never closes it. Give it a short
   * `backoff` and a `statement_timeout`; unless it is patched as ours is, a
   * connection that is cut at the wrong moment can hang until the timeout or end
   * the process.
   */
  static readonly layerFrom = (sql: PgSql, options?: PgClientOptions): Layer.Layer<PgClient> => {
    checkClient(sql, options)
    return Layer.sync(PgClient, () => PgClient.of(makeClient(fixedSource(sql), options)))
  }
}

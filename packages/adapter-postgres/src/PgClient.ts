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
import { openPool, type PgPool, type PgSql, type PgSsl } from "./client/PgDriver.ts"
import { isDefect, isRetryable, type PgFailure } from "./client/PgErrors.ts"
import { makeExecute } from "./client/PgExecution.ts"
import { checkClient, checkOptions } from "./client/PgOptionCheck.ts"
import { quoteSchema } from "./client/PgSchema.ts"
import { fixedSource, type PgSource, renewingSource } from "./client/PgSource.ts"
import { makeTurnstile } from "./client/PgTurnstile.ts"

/**
 * The rows of an answer, each as the values of its columns in order.
 *
 * @category models
 * @since 0.1.0
 */
export type PgRows = ReadonlyArray<ReadonlyArray<unknown>>

/**
 * How a statement may be treated. `timeout` replaces the client's own.
 *
 * @category models
 * @since 0.1.0
 */
export interface PgQueryOptions {
  /**
   * The statement only reads, or doing it twice or late is as good as once. It is
   * repeated once when the connection was lost under it, and may be sent on a
   * connection that is still busy, so that it can be executed after its caller
   * was told that nobody answered.
   */
  readonly retryRead?: boolean
  readonly timeout?: Duration.Duration
}

/**
 * What concerns a client that the host has opened itself. `schema` is any name
 * (default `solar`); `queryTimeout` (default 5 s) is how long a port method takes
 * at most, with all repetitions and the wait for a connection; `rowLevelSecurity`
 * (default false) tells the server with every statement whose it is, as the
 * policies of `rowLevelSecuritySql` need it.
 *
 * @category models
 * @since 0.1.0
 */
export interface PgClientOptions {
  readonly schema?: string
  readonly queryTimeout?: Duration.Input
  readonly rowLevelSecurity?: boolean
}

/**
 * A pool to be opened. `url`, as text or `Redacted`, is of the form
 * `postgres://user:password@host:port/database`; `poolSize` (default 10) is how many connections there are
 * at most; `pooler: "transaction"` (default `session`) sends unnamed statements
 * and no startup parameter that a pooler would refuse, `statement_timeout`
 * included: set that on the role; `ssl` defaults to what the address says
 * (`?sslmode=`), else none; `applicationName` (default `solar-sites`) is how the
 * server lists the connections; `connectTimeout` defaults to `queryTimeout`.
 *
 * @category models
 * @since 0.1.0
 */
export interface PgLayerOptions extends PgClientOptions {
  readonly url: string | Redacted.Redacted<string>
  readonly poolSize?: number
  readonly pooler?: "session" | "transaction"
  readonly ssl?: PgSsl
  readonly applicationName?: string
  readonly connectTimeout?: Duration.Input
}

const defaultQueryTimeout: Duration.Input = "5 seconds"
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
  const defaultMillis = Duration.toMillis(options.queryTimeout ?? defaultQueryTimeout)

  const query: PgClient["Service"]["query"] = (operation, statement, { retryRead = false, timeout } = {}) => {
    const timeoutMillis = timeout === undefined ? defaultMillis : Duration.toMillis(timeout)
    return Effect.catch(execute({ statement, onlyReads: retryRead, timeoutMillis }), failing(operation))
  }

  const batched = makeBatched(source, turnstile)
  const batch: PgClient["Service"]["batch"] = (operation, send, { retryRead = false } = {}) => {
    const run = batched({ send, onlyReads: retryRead })
    return (organisationId, group, item) =>
      Effect.catch(run(organisationId, group, item, defaultMillis), failing(operation))
  }

  return {
    schema: quoteSchema(options.schema ?? "solar"),
    rowLevelSecurity,
    query,
    batch
  }
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

    /** The server wants to know whose each statement is. */
    readonly rowLevelSecurity: boolean

    /**
     * Runs one statement for the port method named by `operation`. What failed
     * with a rollback for certain is repeated a few times, a read whose connection
     * was lost once, and nothing else.
     */
    readonly query: (
      operation: string,
      statement: (sql: PgSql) => PromiseLike<PgRows>,
      options?: PgQueryOptions
    ) => Effect.Effect<PgRows, RepositoryError>

    /**
     * The same for a statement about any number of items: those of one organisation
     * and one group that come in one turn of the event loop, or wait for a
     * connection, become one statement. What is refused together is tried again
     * item by item.
     */
    readonly batch: <Item, Answer>(
      operation: string,
      statement: (sql: PgSql, organisationId: string, items: ReadonlyArray<Item>) => PromiseLike<Answer>,
      options?: Pick<PgQueryOptions, "retryRead">
    ) => (organisationId: string, group: string, item: Item) => Effect.Effect<Answer, RepositoryError>
  }
>()("@solar-sites/adapter-postgres/PgClient") {
  /**
   * Opens a pool, with the first statement, and closes it with the scope: within
   * five seconds, whatever the server does. A pool that has lost touch with its
   * server is replaced a second after a statement that somebody has given up had
   * all its time, unless others were answered meanwhile. Dies of options that no
   * server could be reached with.
   */
  static readonly layer = (options: PgLayerOptions): Layer.Layer<PgClient> =>
    Layer.effect(
      PgClient,
      Effect.map(
        acquirePool(() => {
          const url = checkOptions(options)
          return renewingSource(
            () => open(url, options),
            Duration.toMillis(options.queryTimeout ?? defaultQueryTimeout),
            options.pooler === "transaction" ? 1 : readersPerConnection
          )
        }),
        (source) => PgClient.of(makeClient(source, options))
      )
    )

  /**
   * Uses a postgres.js client of the host's and never closes it. Give it a short
   * `backoff` and a `statement_timeout`; unless it is patched as ours is, a
   * connection that is cut at the wrong moment can hang until the timeout or end
   * the process.
   */
  static readonly layerFrom = (sql: PgSql, options?: PgClientOptions): Layer.Layer<PgClient> =>
    Layer.sync(PgClient, () => {
      checkClient(sql)
      return PgClient.of(makeClient(fixedSource(sql), options))
    })
}

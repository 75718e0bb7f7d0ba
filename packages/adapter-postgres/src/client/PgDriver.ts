/**
 * The driver, postgres.js: how a pool is opened, and the little of it that the
 * adapter uses. The only module that imports it.
 */
import postgres from "postgres"
import type { PgParameter } from "./PgStatement.ts"

/**
 * How one statement is sent.
 *
 * @category models
 * @since 0.1.0
 */
export interface PgStatementOptions {
  readonly prepare?: boolean
  /** Of our patch: sent right now, not at the end of this turn of the event loop with what else there is. */
  readonly atOnce?: boolean
  /** Whether the connection that has just been given the statement may be given others before its answer. */
  readonly onexecute?: () => boolean
  /** The organisation the statement is about. Part of its correlation id, and not given to the driver. */
  readonly organisationId?: string | undefined
  /** Makes one message without parameters of text and parameters. Not given to the driver. */
  readonly bind?: (text: string, parameters: ReadonlyArray<PgParameter>) => string
}

/**
 * The part of postgres.js that is needed of a client, so that a host's own of
 * any type configuration fits. `unsafe` is the driver's name for a statement
 * whose text is given as a string; all texts of this adapter are constants.
 *
 * @category models
 * @since 0.1.0
 */
export interface PgSql {
  readonly unsafe: (
    text: string,
    parameters?: Array<PgParameter>,
    options?: PgStatementOptions
  ) => { readonly values: () => PromiseLike<ReadonlyArray<ReadonlyArray<unknown>>> }
  readonly options: { readonly max: number }
}

/**
 * The same client for statements that nobody is to wait behind: the driver would
 * send others on their connection while it still had idle ones.
 */
export const alone = (client: PgSql): PgSql => ({
  unsafe: (text, parameters, options) => client.unsafe(text, parameters, { ...options, onexecute: () => false }),
  options: client.options
})

/** A pool of our own, which is ours to close. */
export interface PgPool extends PgSql {
  readonly end: (options: { readonly timeout: number }) => Promise<void>
}

export interface PgPoolOptions {
  readonly url?: string
  readonly poolSize: number
  readonly applicationName: string
  /** In seconds. */
  readonly connectTimeout: number
  /** In milliseconds; left to the server when absent. */
  readonly statementTimeout?: number
  readonly prepare: boolean
  readonly ssl?: PgSsl
  /** Opens the way to the server instead of a network connection. */
  readonly socket?: () => Promise<unknown>
  /** In seconds; connections stay open for ever when absent. */
  readonly idleTimeout?: number
}

/**
 * How connections are secured: as libpq's `sslmode`, or as options of
 * `tls.connect`.
 *
 * @category models
 * @since 0.1.0
 */
export type PgSsl = boolean | "require" | "allow" | "prefer" | "verify-full" | object

/** Opens lazily: the first statement makes the first connection. */
export const openPool = (options: PgPoolOptions): PgPool => {
  const settings = {
    max: options.poolSize,
    prepare: options.prepare,
    connect_timeout: options.connectTimeout,
    // The driver's default waits up to 20 s before it dials again, which looks like a hang.
    backoff: () => 0.02,
    idle_timeout: options.idleTimeout ?? 0,
    ...(options.idleTimeout === undefined ? { max_lifetime: null } : {}),
    // Array types are never needed, and asking for them is a query per connection.
    fetch_types: false,
    onnotice: () => {},
    connection: {
      application_name: options.applicationName,
      // A server that is set to fewer digits would give other numbers than it was given.
      ...(options.statementTimeout === undefined
        ? {}
        : { statement_timeout: options.statementTimeout, extra_float_digits: 1 })
    },
    ...(options.ssl === undefined ? {} : { ssl: options.ssl }),
    ...(options.socket === undefined ? {} : { socket: options.socket })
  }
  return options.url === undefined ? postgres(settings) : postgres(options.url, settings)
}

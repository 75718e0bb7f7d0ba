/**
 * The driver, postgres.js: its options, and the part of its interface that the
 * adapter uses. Only this module imports it.
 */
import postgres from "postgres"
import type { PgParameter } from "./PgStatement.ts"

/** Options of postgres.js for one statement. */
export interface PgStatementOptions {
  readonly prepare?: boolean
  /**
   * Called when the statement is sent. False keeps the connection to this statement until
   * its answer.
   */
  readonly onexecute?: () => boolean
}

/**
 * The part of a postgres.js client that the adapter uses, so that a client of the
 * host fits with any type configuration. `unsafe` takes the text of a statement as
 * a string; all texts of this adapter are constants.
 */
export interface PgSql {
  readonly unsafe: (
    text: string,
    parameters?: Array<PgParameter>,
    options?: PgStatementOptions
  ) => { readonly values: () => PromiseLike<ReadonlyArray<ReadonlyArray<unknown>>> }
  readonly options: { readonly max: number }
}

/** A client that this package has opened, and closes. */
export interface PgOwnClient extends PgSql {
  /**
   * Resolves when the client knows its server, or knows that there is none. Absent or
   * undefined: statements can be sent at once.
   */
  readonly ready?: () => Promise<void> | undefined
  readonly end: (options: { readonly timeout: number }) => Promise<void>
}

export interface PgDriverOptions {
  readonly url?: string
  readonly poolSize: number
  readonly applicationName: string
  /** Timeout of a connection attempt, in seconds. */
  readonly connectTimeout: number
  /** Timeout of a statement, in milliseconds. Default: the setting of the server. */
  readonly statementTimeout?: number
  readonly prepare: boolean
  readonly ssl?: PgSsl
  /** Opens a stream that replaces the network connection. */
  readonly socket?: () => Promise<unknown>
  /** In seconds. Without it connections stay open. */
  readonly idleTimeout?: number
  /** Called for every connection that closes. */
  readonly onClose?: () => void
}

/** TLS of connections: as `sslmode` of libpq, or as options of `tls.connect`. */
export type PgSsl = boolean | "require" | "allow" | "prefer" | "verify-full" | object

/** Makes no connection before the first statement. */
export const openClient = (options: PgDriverOptions): PgOwnClient => {
  const settings = {
    max: options.poolSize,
    prepare: options.prepare,
    connect_timeout: options.connectTimeout,
    // By default the driver waits up to 20 s before it connects again.
    backoff: () => 0.02,
    idle_timeout: options.idleTimeout ?? 0,
    ...(options.idleTimeout === undefined ? { max_lifetime: null } : {}),
    // The adapter uses no array types; fetching them is a query per connection.
    fetch_types: false,
    onnotice: () => {},
    ...(options.onClose === undefined ? {} : { onclose: options.onClose }),
    connection: {
      application_name: options.applicationName,
      // A server with another setting would return other numbers than were stored.
      ...(options.statementTimeout === undefined
        ? {}
        : { statement_timeout: options.statementTimeout, extra_float_digits: 1 })
    },
    ...(options.ssl === undefined ? {} : { ssl: options.ssl }),
    ...(options.socket === undefined ? {} : { socket: options.socket })
  }
  return options.url === undefined ? postgres(settings) : postgres(options.url, settings)
}

/**
 * Options of the client.
 */
import type { Duration, Redacted } from "effect"
import type { PgSsl } from "./PgDriver.ts"

/** Options of a client on a connection pool of the host. */
export interface PgClientOptions {
  /** Schema of the tables: any name. Default: `solar`. */
  readonly schema?: string
  /**
   * Time limit of a port method, with all repetitions and the wait for a connection.
   * Default: 5 s.
   */
  readonly queryTimeout?: Duration.Input
  /**
   * Sends the scope of every statement, for the policies of `rowLevelSecuritySql`. Default:
   * false.
   */
  readonly rowLevelSecurity?: boolean
}

/** Options of a client that opens its own pool. */
export interface PgLayerOptions extends PgClientOptions {
  /**
   * `postgres://user:password@host:port/database`. With several hosts (`a:5432,b:5432`), or
   * with `?target_session_attrs=read-write`, statements follow the primary.
   */
  readonly url: string | Redacted.Redacted<string>
  /** Maximum of connections. Default: 10. */
  readonly poolSize?: number
  /**
   * `transaction`, for a pooler in that mode, sends unnamed statements and no startup
   * parameters. Set `statement_timeout` on the role then. Default: `session`.
   */
  readonly pooler?: "session" | "transaction"
  /** Default: `sslmode` of the address; without it no TLS. */
  readonly ssl?: PgSsl
  /** Name of the connections in `pg_stat_activity`. Default: `solar-sites`. */
  readonly applicationName?: string
  /** Time limit of one connection attempt. Default: `queryTimeout`. */
  readonly connectTimeout?: Duration.Input
}

export const defaultQueryTimeout: Duration.Input = "5 seconds"

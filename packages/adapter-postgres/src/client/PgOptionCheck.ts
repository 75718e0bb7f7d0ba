/**
 * Refuses options that no server could be reached with, in one sentence each
 * that says what to give: a host without types would hear of them from the
 * driver, at its first statement. What was given is told by its kind alone, since
 * an address holds a password.
 */
import { Duration, Option, Redacted } from "effect"
import type { PgSql } from "./PgDriver.ts"
import { isPostgresUrl, type PgLayerOptions, postgresUrlForm } from "./PgOptions.ts"

const kindOf = (given: unknown): string => {
  if (given === "") return "an empty text"
  if (typeof given === "string") return "another text"
  return typeof given === "number" || given === null ? String(given) : typeof given
}

const refuse = (option: string, needed: string, given: unknown): TypeError =>
  new TypeError(`${option} of the Postgres adapter must be ${needed}; it is ${kindOf(given)}`)

const urlIn = (given: unknown): string => {
  const url: unknown = Redacted.isRedacted(given) ? Redacted.value(given) : given
  // The message of `new URL` would carry the password.
  if (typeof url === "string" && isPostgresUrl(url)) return url
  throw refuse("url", `${postgresUrlForm}, as text or Redacted`, url)
}

const isWaiting = (given: Duration.Input): boolean =>
  Option.exists(Duration.fromInput(given), (duration) => Duration.isFinite(duration) && Duration.isPositive(duration))

const checkTimeout = (option: "queryTimeout" | "connectTimeout", given: Duration.Input | undefined): void => {
  if (given !== undefined && !isWaiting(given)) throw refuse(option, 'a duration, such as "5 seconds"', given)
}

/** The address, once all there is to be said about the options has been said. */
export const checkOptions = (options: PgLayerOptions): Redacted.Redacted<string> => {
  const url = urlIn(Object(options).url)
  const { connectTimeout, pooler, poolSize = 1, queryTimeout } = options
  if (!Number.isInteger(poolSize) || poolSize < 1) {
    throw refuse("poolSize", "a whole number of connections, 1 or more, such as 10", poolSize)
  }
  if (pooler !== undefined && pooler !== "session" && pooler !== "transaction") {
    throw refuse("pooler", '"session" or "transaction"', pooler)
  }
  checkTimeout("queryTimeout", queryTimeout)
  checkTimeout("connectTimeout", connectTimeout)
  return Redacted.make(url)
}

/** A client of another driver has no such method. */
export const checkClient = (sql: PgSql): void => {
  if (typeof Object(sql).unsafe === "function") return
  throw refuse("The client", 'one of postgres.js, such as postgres("postgres://…")', sql)
}

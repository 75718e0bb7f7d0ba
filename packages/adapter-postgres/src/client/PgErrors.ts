/**
 * What the failures of the driver and of the server mean. The only place that
 * knows SQLSTATEs and the driver's codes.
 */
import type { RepositoryError } from "@solar-sites/core"

/**
 * A failure without what the server or the driver says about values: a detail
 * or a parameter could hold the digest of a key.
 */
export class PgFailure extends Error {
  override readonly name = "PgFailure"
  /** A SQLSTATE, or a code of the driver or of the operating system. */
  readonly code: string | undefined
  readonly constraint: string | undefined

  constructor(message: string, code?: string, constraint?: string) {
    super(message)
    this.code = code
    this.constraint = constraint
  }
}

const textOf = (value: unknown, key: string): string | undefined => {
  if (typeof value !== "object" || value === null) return undefined
  const member: unknown = Reflect.get(value, key)
  return typeof member === "string" ? member : undefined
}

// No such table, no such schema.
const unmigrated = new Set(["42P01", "3F000"])

const messageOf = (cause: unknown, code: string | undefined): string => {
  const message = textOf(cause, "message") || code || "the driver failed without a message"
  return unmigrated.has(code ?? "")
    ? `${message}; run \`migrate\` of @solar-sites/adapter-postgres, which makes what is missing in this schema`
    : message
}

/** The failure behind whatever a driver call was rejected with. */
export const toFailure = (cause: unknown): PgFailure => {
  if (cause instanceof PgFailure) return cause
  const code = textOf(cause, "code")
  return new PgFailure(messageOf(cause, code), code, textOf(cause, "constraint_name"))
}

/** No answer came in time; a statement that was sent may still take effect. */
export const timedOut = (milliseconds: number): PgFailure =>
  new PgFailure(`no answer within ${milliseconds} ms`, "QUERY_TIMEOUT")

const isSqlState = (code: string): boolean => /^[0-9A-Z]{5}$/.test(code) && !code.startsWith("E")

const lostConnection = new Set([
  "57P01",
  "57P02",
  "CONNECTION_CLOSED",
  "CONNECTION_DESTROYED",
  "ECONNRESET",
  "ECONNABORTED",
  "EPIPE"
])

const defects = new Set(["MIXED_ANSWER", "UNDEFINED_PARAMETER", "UNSUPPORTED_STATEMENT"])

/** A bug, of this adapter, of a statement given to it or of the driver; never an expected failure. */
export const isDefect = ({ code = "" }: PgFailure): boolean => defects.has(code)

/** The answer of another statement: the connection that brought it has lost count. */
export const isMixed = ({ code }: PgFailure): boolean => code === "MIXED_ANSWER"

/** The connection went away; what was sent on it took effect as a whole or not at all. */
export const isConnectionLost = ({ code = "" }: PgFailure): boolean => lostConnection.has(code) || code.startsWith("08")

/** The server itself has said that it did not do it. */
export const isAnswered = ({ code = "" }: PgFailure): boolean => isSqlState(code)

/** The server says for certain that nothing took effect, and that the same again may. */
export const isRolledBack = ({ code }: PgFailure): boolean => code === "40001" || code === "40P01"

// Classes: triggers, cardinality, data, integrity, functions, views, PL/pgSQL; and policies of the host's.
const refusals = /^(09|21|22|23|27|38|39|44|P0|42501)/

/** The server says for certain that nothing took effect, because of what the statement was to do. */
export const isRefused = (failure: PgFailure): boolean => {
  const { code = "" } = failure
  return isRolledBack(failure) || (isSqlState(code) && refusals.test(code))
}

// Classes: connection, authorisation, transaction rollback, resources, operator intervention, system.
const unavailable = /^(08|28|40|53|57|58)/
const unavailableCodes = new Set(["25006", "3D000", "55P03", "XX001", "XX002"])

/**
 * True when repeating the same call may succeed. A code that is no SQLSTATE comes
 * from the driver, the network or TLS; a failure without any code is a bug.
 */
export const isRetryable = ({ code }: PgFailure): boolean => {
  if (code === undefined) return false
  return isSqlState(code) ? unavailable.test(code) || unavailableCodes.has(code) : true
}

/** True when the failure is the named constraint being broken. */
export const violates =
  (constraint: string) =>
  ({ cause }: RepositoryError): boolean =>
    cause instanceof PgFailure && cause.constraint === constraint && cause.code?.startsWith("23") === true

/**
 * Failures of the driver and of the server, and their meaning. Only this module
 * knows SQLSTATEs and the codes of the driver.
 */
import type { RepositoryError } from "@solar-sites/core"

/**
 * A failure without values: details and parameters, which could hold the digest of
 * a key, are left out.
 */
export class PgFailure extends Error {
  override readonly name = "PgFailure"
  /** SQLSTATE, or code of the driver or of the operating system. */
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

// Undefined table, undefined schema.
const unmigrated = new Set(["42P01", "3F000"])

const messageOf = (cause: unknown, code: string | undefined): string => {
  const message = textOf(cause, "message") || code || "the driver failed without a message"
  return unmigrated.has(code ?? "")
    ? `${message}; run \`migrate\` of @solar-sites/adapter-postgres, which creates the missing tables of this schema`
    : message
}

/**
 * The violated constraint. An error that Citus forwards has it in its message only. A constraint of a
 * shard ends with the id of the shard, also where the coordinator itself holds the shard.
 */
const constraintOf = (cause: unknown, code = ""): string | undefined => {
  const named = code.startsWith("23") ? /constraint "(\w+)"/.exec(textOf(cause, "message") ?? "")?.[1] : undefined
  return (textOf(cause, "constraint_name") ?? named)?.replace(/_\d{6,}$/, "")
}

/** The failure of a rejected driver call. */
export const toFailure = (cause: unknown): PgFailure => {
  if (cause instanceof PgFailure) return cause
  const code = textOf(cause, "code")
  return new PgFailure(messageOf(cause, code), code, constraintOf(cause, code))
}

/** The deadline of a call passed. A statement that was sent may still take effect. */
export const timedOut = (milliseconds: number): PgFailure =>
  new PgFailure(`no answer within ${milliseconds} ms`, "QUERY_TIMEOUT")

/** The caller stopped waiting before the statement was sent. */
export const abandoned = (): PgFailure => new PgFailure("the caller does not wait any more", "QUERY_TIMEOUT")

/** No host of the database accepts writes. The statement was not sent. */
export const noPrimary = (reasons: ReadonlyMap<string, string>): PgFailure =>
  new PgFailure(
    ["no host accepts writes", ...Array.from(reasons, ([host, reason]) => `${host}: ${reason}`)].join("; "),
    "NO_PRIMARY"
  )

const isSqlState = (code: string): boolean => /^[0-9A-Z]{5}$/.test(code) && !code.startsWith("E")

const lostConnection = new Set([
  "57P01",
  "57P02",
  "CONNECTION_CLOSED",
  "CONNECTION_DESTROYED",
  "PGLITE_FAILED",
  "ECONNRESET",
  "ECONNABORTED",
  "EPIPE"
])

const defects = new Set(["MIXED_ANSWER", "UNDEFINED_PARAMETER"])

/** A bug of this adapter, of a statement or of the driver. */
export const isDefect = ({ code = "" }: PgFailure): boolean => defects.has(code)

/** The answer of another statement: its connection has lost count. */
export const isMixed = ({ code }: PgFailure): boolean => code === "MIXED_ANSWER"

/** The connection was lost. Each statement sent on it took effect completely or not at all. */
export const isConnectionLost = ({ code = "" }: PgFailure): boolean => lostConnection.has(code) || code.startsWith("08")

/** The server answered, with an error. */
export const isAnswered = ({ code = "" }: PgFailure): boolean => isSqlState(code)

/** The server rolled the statement back, and a repetition may succeed. */
export const isRolledBack = ({ code }: PgFailure): boolean => code === "40001" || code === "40P01"

/** The server is a standby or has become read-only. Nothing took effect. */
export const isReadOnlyServer = ({ code }: PgFailure): boolean => code === "25006"

/** Another host may be the primary now: the server is gone, ends, starts or is read-only. */
export const mayHaveMoved = (failure: PgFailure): boolean =>
  !isAnswered(failure) || /^(08|57P0[123]|25006)/.test(failure.code ?? "")

// Classes: triggers, cardinality, data, integrity, functions, views, PL/pgSQL; and policies of the
// host.
const refusals = /^(09|21|22|23|27|38|39|44|P0|42501)/

/** The server refused the statement because of its contents; nothing took effect. */
export const isRefused = (failure: PgFailure): boolean => {
  const { code = "" } = failure
  return isRolledBack(failure) || (isSqlState(code) && refusals.test(code))
}

// Classes: connection, authorisation, transaction rollback, resources, operator intervention,
// system.
const unavailable = /^(08|28|40|53|57|58)/
const unavailableCodes = new Set(["25006", "3D000", "55P03", "XX001", "XX002"])

/**
 * True when a repetition of the call may succeed. A code that is no SQLSTATE comes
 * from the driver, the network or TLS; a failure without a code is a bug.
 */
export const isRetryable = ({ code }: PgFailure): boolean => {
  if (code === undefined) return false
  return isSqlState(code) ? unavailable.test(code) || unavailableCodes.has(code) : true
}

/** The name of the violated constraint. */
export const violated = ({ cause }: RepositoryError): string | undefined =>
  cause instanceof PgFailure && cause.code?.startsWith("23") === true ? cause.constraint : undefined

/** True for a violation of the named constraint. */
export const violates =
  (constraint: string) =>
  (error: RepositoryError): boolean =>
    violated(error) === constraint

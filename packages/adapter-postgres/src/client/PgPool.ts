/**
 * The pool: sends statements to the driver, compares the statement id of each
 * answer, and replaces connections that have lost their server.
 *
 * The operating system notices a peer that vanished without a word after 15
 * minutes. Until then its statements have no answer and occupy the pool. So a
 * pool of our own is replaced when an abandoned statement stays unanswered for
 * longer than the server may execute it.
 */
import { boundExecution, boundText, settingsOf } from "../security/PgRowLevelSecurity.ts"
import { bothSecurityAndCitus, makeCitus } from "./PgCitus.ts"
import type { PgOwnClient, PgSql } from "./PgDriver.ts"
import { abandoned, isAnswered, isMixed, toFailure } from "./PgErrors.ts"
import type { PgRows, PgStatement } from "./PgStatement.ts"
import { rowsBefore, rowsOf, undefinedParameter } from "./PgStatementId.ts"
import { identified, namesIn, PgText, rendered } from "./PgText.ts"

/** A statement that the driver has. */
export interface PgSending {
  readonly rows: Promise<PgRows>
  /**
   * The caller does not wait any more. The statement goes on, and the pool watches for its
   * answer.
   */
  readonly abandon: () => void
}

export interface PgPool {
  /** Maximum of connections. */
  readonly width: number
  /** How many statements may be under way when one that only reads is added. */
  readonly roomToRead: number
  readonly send: (statement: PgStatement) => PgSending
}

interface PoolOptions {
  readonly rowLevelSecurity?: boolean | undefined
  /** Quoted name of the schema. */
  readonly schema: string
  /** Whether the tables can be distributed over Citus. Default: false. */
  readonly mayBeDistributed?: boolean
  /** Reads that may share one connection. Default: 1. */
  readonly readersPerConnection?: number
}

interface Sent {
  readonly client: PgSql
  readonly sentAt: number
  isSettled: boolean
  isAbandoned: boolean
}

/** What the pool does about the fate of a statement. */
interface Watch {
  readonly onAnswer?: (sent: Sent) => void
  readonly onMixed?: (sent: Sent) => void
  readonly onAbandoned?: (sent: Sent) => void
}

// Keeps a write alone on its connection: behind a write that waits for a lock other statements
// would wait too.
const alone = { onexecute: () => false }

type Client = PgSql & Pick<PgOwnClient, "ready">

const makePool = (current: () => Client, options: PoolOptions, watch: Watch): PgPool => {
  const { mayBeDistributed = false, readersPerConnection = 1, rowLevelSecurity = false, schema } = options
  const citus = mayBeDistributed ? makeCitus(schema) : undefined
  const names = namesIn(schema)
  const width = current().options.max
  let count = 0

  const execute = async (client: Client, statement: PgStatement, sent: Sent): Promise<PgRows> => {
    const { parameters = [], readOnly = false, scope = "none" } = statement
    const text = typeof statement.text === "string" ? new PgText([statement.text]) : statement.text
    const waiting = client.ready?.()
    if (waiting !== undefined) {
      await waiting
      if (sent.isAbandoned) throw abandoned()
    }
    // The copy turns the holes of a sparse array into undefined.
    const missing = [...parameters].findIndex((parameter: unknown) => parameter === undefined)
    if (missing >= 0) throw undefinedParameter(missing)
    count += 1
    // Names the organisation, since two clients of a host may share a connection and a count.
    const id = typeof scope === "object" ? `${count} ${scope.organisationId}` : `${count}`
    const boundScope = rowLevelSecurity && scope !== "none" ? scope : undefined
    const sharing = readOnly ? {} : alone

    if (parameters.length === 0) {
      if (!readOnly) citus?.forget()
      const own = `${rendered(text.parts, names)}\n;select '${id}'`
      const message = boundScope === undefined ? own : boundText(boundScope, readOnly, own)
      const rows = await client.unsafe(message, [], sharing).values()
      return rowsBefore(rows, id, boundScope === undefined ? 0 : settingsOf(boundScope, readOnly))
    }
    const all = [...parameters, id]
    if (citus !== undefined && (citus.isDistributed() ?? (await citus.detect(client)))) {
      if (rowLevelSecurity) throw bothSecurityAndCitus()
      const options = { ...sharing, prepare: true }
      return rowsOf(await citus.execute(client, { text, parameters: all, scope, readOnly }, options), id)
    }
    const made = identified(text, all.length, names)
    if (boundScope === undefined) {
      return rowsOf(await client.unsafe(made, all, { ...sharing, prepare: true }).values(), id)
    }
    const answers = await client.unsafe(boundExecution(boundScope, readOnly, made, all), [], sharing).values()
    // The statement comes last in the message.
    return rowsOf(answers.at(-1) ?? [], id)
  }

  const send = (statement: PgStatement): PgSending => {
    const client = current()
    const sent: Sent = { client, sentAt: performance.now(), isSettled: false, isAbandoned: false }
    const rows = execute(client, statement, sent)
    rows.then(
      () => {
        sent.isSettled = true
        watch.onAnswer?.(sent)
      },
      (cause: unknown) => {
        sent.isSettled = true
        const failure = toFailure(cause)
        if (isMixed(failure)) watch.onMixed?.(sent)
        else if (isAnswered(failure)) watch.onAnswer?.(sent)
      }
    )
    const abandon = (): void => {
      if (sent.isSettled || sent.isAbandoned) return
      sent.isAbandoned = true
      watch.onAbandoned?.(sent)
    }
    return { rows, abandon }
  }

  // A statement that is bound to its scope is several for the server, which a connection executes
  // alone.
  return { width, roomToRead: rowLevelSecurity ? width : width * readersPerConnection, send }
}

/**
 * A pool on a client of the host. It is never replaced: a mixed answer is a defect
 * of its statement, and the host closes the connection.
 */
export const hostPool = (client: PgSql, options: PoolOptions): PgPool => makePool(() => client, options, {})

interface RenewalOptions extends PoolOptions {
  /**
   * Time limit of a statement in the server. Without it, only a mixed answer replaces the
   * connections.
   */
  readonly statementMillis?: number
}

// Time for the answer to arrive when the server ends a statement at its limit.
const graceMillis = 1_000

// Time for other statements on the old connections.
const partingSeconds = 1

/** A pool of our own. `end` closes the connections that are open then. */
export const renewingPool = (open: () => PgOwnClient, options: RenewalOptions): PgPool & Pick<PgOwnClient, "end"> => {
  const { readersPerConnection = 1, statementMillis } = options
  let client = open()
  let answeredAt = Number.NEGATIVE_INFINITY
  let isEnded = false

  const replace = ({ client: lost }: Sent): void => {
    if (lost !== client || isEnded) return
    const old = client
    client = open()
    void old.end({ timeout: partingSeconds })
  }

  /**
   * When a statement counts as lost. It may have waited for others on its connection,
   * each of which may take its whole time: while the server answers any statement,
   * the pool stays, within that bound.
   */
  const dueOf = ({ sentAt }: Sent, millis: number): number =>
    Math.min(Math.max(sentAt, answeredAt) + millis, sentAt + readersPerConnection * millis) + graceMillis

  const check = (sent: Sent, millis: number): void => {
    if (sent.isSettled || sent.client !== client || isEnded) return
    const millisLeft = dueOf(sent, millis) - performance.now()
    if (millisLeft <= 0) replace(sent)
    else setTimeout(check, millisLeft, sent, millis).unref()
  }

  const pool = makePool(() => client, options, {
    onAnswer: (sent) => {
      if (sent.client === client) answeredAt = performance.now()
    },
    onMixed: replace,
    ...(statementMillis === undefined ? {} : { onAbandoned: (sent: Sent) => check(sent, statementMillis) })
  })

  return {
    ...pool,
    end: (ending) => {
      isEnded = true
      return client.end(ending)
    }
  }
}

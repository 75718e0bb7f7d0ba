/**
 * Where connections come from: a client of somebody else's, or a pool of our own
 * that is replaced when it has lost touch with its server.
 *
 * A connection whose other end has vanished without a word, as with a machine
 * that loses its power, is noticed by the operating system after a quarter of an
 * hour. Until then its statements have no answer, and with all connections like
 * that there would be none left to ask a server that is long back.
 */
import type { PgPool, PgSql } from "./PgDriver.ts"

/** A statement under way, and the client it was given to. */
interface PgExecution {
  readonly client: PgSql
  isSettled: boolean
}

export interface PgSource {
  /** How many connections there are at most. */
  readonly width: number
  /** How many statements may be under way for one more that only reads. */
  readonly roomToRead: number
  readonly current: () => PgSql
  /** Hears of a statement that has had all its time. */
  readonly overdue: (execution: PgExecution) => void
}

/** Runs a statement, again if need be; `giveUp` says that nobody waits for it any more. */
export const executing = <A>(source: PgSource, statement: (client: PgSql) => PromiseLike<A>) => {
  let latest: PgExecution | undefined

  const run = (): PromiseLike<A> => {
    const execution: PgExecution = { client: source.current(), isSettled: false }
    const settle = () => {
      execution.isSettled = true
    }
    latest = execution
    const answer = statement(execution.client)
    answer.then(settle, settle)
    return answer
  }

  const giveUp = (): void => {
    if (latest !== undefined) source.overdue(latest)
  }

  return { run, giveUp }
}

/** A client that is not ours to replace. */
export const fixedSource = (client: PgSql): PgSource => ({
  width: client.options.max,
  // Whether its driver is patched is not known, and an embedded database does one thing at a time.
  roomToRead: client.options.max,
  current: () => client,
  overdue: () => {}
})

// The server ends a statement itself when its time is up, and says so; this is for its answer to arrive.
const graceMillis = 1_000

// What else is under way on the old pool may end in this time.
const partingSeconds = 1

/** A pool of our own, with so many readers for each connection. `end` closes what is open then. */
export const renewingSource = (open: () => PgPool, readersPerConnection = 1): PgSource & Pick<PgPool, "end"> => {
  let pool = open()

  const replace = (): void => {
    const lost = pool
    pool = open()
    void lost.end({ timeout: partingSeconds })
  }

  return {
    width: pool.options.max,
    roomToRead: pool.options.max * readersPerConnection,
    current: () => pool,
    overdue: (execution) => {
      const judge = () => {
        if (!execution.isSettled && execution.client === pool) replace()
      }
      setTimeout(judge, graceMillis).unref()
    },
    end: (options) => pool.end(options)
  }
}

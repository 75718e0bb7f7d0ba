/**
 * Where connections come from: a client of somebody else's, or a pool of our own
 * that is replaced when it has lost touch with its server.
 *
 * A connection whose other end has vanished without a word, as with a machine
 * that loses its power, is noticed by the operating system after a quarter of an
 * hour. Until then its statements have no answer, and with all connections like
 * that there would be none left to ask a server that is long back.
 */
import { correlated } from "./PgCorrelation.ts"
import { alone, type PgPool, type PgSql } from "./PgDriver.ts"
import { isAnswered, isMixed, toFailure } from "./PgErrors.ts"

/** One client: as it is, and for statements that must have a connection to themselves. */
interface PgClients {
  readonly shared: PgSql
  readonly alone: PgSql
}

/** A statement under way, and the client it was given to. */
interface PgExecution {
  readonly clients: PgClients
  readonly begunAt: number
  isSettled: boolean
  isAbandoned: boolean
}

export interface PgSource {
  /** How many connections there are at most. */
  readonly width: number
  /** How many statements may be under way for one more that only reads. */
  readonly roomToRead: number
  readonly current: () => PgClients
  /** Hears of an answer of the server's. */
  readonly heard: (execution: PgExecution) => void
  /** Hears of a statement that somebody has given up, and that has no answer yet. */
  readonly abandoned: (execution: PgExecution) => void
  /** Hears of an answer that belongs to another statement. */
  readonly mixed: (execution: PgExecution) => void
}

const clientsOf = (client: PgSql): PgClients => {
  const shared = correlated(client)
  return { shared, alone: alone(shared) }
}

/** Runs a statement, again if need be; `giveUp` says that nobody waits for it any more. */
export const executing = <A>(source: PgSource, onlyReads: boolean, statement: (client: PgSql) => PromiseLike<A>) => {
  let latest: PgExecution | undefined

  const run = (): PromiseLike<A> => {
    const clients = source.current()
    const execution: PgExecution = { clients, begunAt: performance.now(), isSettled: false, isAbandoned: false }
    latest = execution
    const answer = statement(onlyReads ? clients.shared : clients.alone)
    answer.then(
      () => {
        execution.isSettled = true
        source.heard(execution)
      },
      (cause: unknown) => {
        execution.isSettled = true
        const failure = toFailure(cause)
        if (isMixed(failure)) source.mixed(execution)
        else if (isAnswered(failure)) source.heard(execution)
      }
    )
    return answer
  }

  const giveUp = (): void => {
    if (latest === undefined || latest.isSettled || latest.isAbandoned) return
    latest.isAbandoned = true
    source.abandoned(latest)
  }

  return { run, giveUp }
}

/** A client that is not ours to replace. */
export const fixedSource = (client: PgSql): PgSource => {
  const clients = clientsOf(client)
  return {
    width: client.options.max,
    // Whether its driver is patched is not known, and an embedded database does one thing at a time.
    roomToRead: client.options.max,
    current: () => clients,
    heard: () => {},
    abandoned: () => {},
    // Each mixed answer is a defect of its caller's; its connection is the host's to close.
    mixed: () => {}
  }
}

// The server ends a statement itself when its time is up, and says so; this is for its answer to arrive.
const graceMillis = 1_000

// What else is under way on the old pool may end in this time.
const partingSeconds = 1

/**
 * A pool of our own, with so many readers for each connection, whose server ends
 * statements after `statementMillis`. `end` closes what is open then.
 */
export const renewingSource = (
  open: () => PgPool,
  statementMillis: number,
  readersPerConnection = 1
): PgSource & Pick<PgPool, "end"> => {
  let pool = open()
  let clients = clientsOf(pool)
  let heardAt = Number.NEGATIVE_INFINITY
  let isEnded = false

  const replace = (): void => {
    const lost = pool
    pool = open()
    clients = clientsOf(pool)
    void lost.end({ timeout: partingSeconds })
  }

  /**
   * When a statement is taken for lost. It may have waited for others on its
   * connection, of which each may take all its time: as long as the server answers
   * anybody it is left alone, within that bound.
   */
  const dueOf = ({ begunAt }: PgExecution): number =>
    Math.min(Math.max(begunAt, heardAt) + statementMillis, begunAt + readersPerConnection * statementMillis) +
    graceMillis

  const judge = (execution: PgExecution): void => {
    if (execution.isSettled || execution.clients !== clients || isEnded) return
    const millisLeft = dueOf(execution) - performance.now()
    if (millisLeft <= 0) replace()
    else setTimeout(judge, millisLeft, execution).unref()
  }

  return {
    width: pool.options.max,
    roomToRead: pool.options.max * readersPerConnection,
    current: () => clients,
    heard: (execution) => {
      if (execution.clients === clients) heardAt = performance.now()
    },
    abandoned: judge,
    mixed: (execution) => {
      if (execution.clients === clients && !isEnded) replace()
    },
    end: (options) => {
      isEnded = true
      return pool.end(options)
    }
  }
}

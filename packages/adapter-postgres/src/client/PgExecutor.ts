/**
 * Executes statements: a queue in front of the pool, one deadline per call, and
 * retries.
 *
 * It uses callbacks, since a race of fibers for every statement costs more than
 * this side of the statement (decision 19).
 */
import { RepositoryError } from "@solar-sites/core"
import { type Context, Duration, Effect, Metric } from "effect"
import {
  isConnectionLost,
  isDefect,
  isReadOnlyServer,
  isRetryable,
  isRolledBack,
  type PgFailure,
  timedOut,
  toFailure
} from "./PgErrors.ts"
import { countEvents } from "./PgEventMetric.ts"
import type { PgPool, PgSending } from "./PgPool.ts"
import type { PgRows, PgStatement } from "./PgStatement.ts"

/** A statement in the queue. */
interface PgTask {
  readonly readOnly: boolean
  /** Called when the statement leaves the queue. An exception is a failure of the task. */
  readonly statement: () => PgStatement
  readonly onSuccess: (rows: PgRows) => void
  readonly onFailure: (failure: PgFailure) => void
}

/** One call: settled once, by an answer or by its deadline. */
export interface PgCall<A> {
  readonly settle: (answer: Effect.Effect<A, RepositoryError>) => void
  readonly isSettled: () => boolean
}

export interface PgExecutor {
  readonly run: (statement: PgStatement) => Effect.Effect<PgRows, RepositoryError>
  /**
   * Queues a task. The result cancels it: a queued task is removed, the answer to a sent one
   * is abandoned.
   */
  readonly submit: (task: PgTask, context: Context.Context<never>) => () => void
  /** Runs `begin`, which returns how to cancel it, until it settles the call or the time is up. */
  readonly withDeadline: <A>(
    operation: string,
    timeout: Duration.Input | undefined,
    begin: (call: PgCall<A>, context: Context.Context<never>) => () => void
  ) => Effect.Effect<A, RepositoryError>
}

const inFlightGauge = Metric.gauge("solar_sites_database_statements", {
  description: "Statements under way; what only reads may share a connection of the pool"
})
const waitingGauge = Metric.gauge("solar_sites_database_waiting", {
  description: "Statements that wait for a connection of the pool"
})

interface Waiting {
  readonly start: () => void
  readonly room: number
}

/**
 * Lets as many statements under way as there are connections, in order. The
 * others wait here, where a cancelled one leaves nothing behind; in the queue of
 * the driver it would be executed after its caller got a timeout. A read may be
 * executed late, so it may share a busy connection: under load that saves a
 * quarter of the cost of a page.
 */
const makeQueue = ({ roomToRead, send, width }: PgPool): PgExecutor["submit"] => {
  const waiting = new Set<Waiting>()
  let inFlight = 0
  let isReported = false

  const reportInFlight = (context: Context.Context<never>): void => inFlightGauge.updateUnsafe(inFlight, context)
  const reportWaiting = (context: Context.Context<never>): void => waitingGauge.updateUnsafe(waiting.size, context)

  const startNext = (context: Context.Context<never>): void => {
    if (waiting.size === 0) return
    for (const next of waiting) {
      if (inFlight >= next.room) break
      waiting.delete(next)
      next.start()
    }
    reportWaiting(context)
  }

  return ({ onFailure, onSuccess, readOnly, statement }, context) => {
    let sending: PgSending | undefined
    const leave = (): void => {
      // A fiber may keep the cancellation, and must not keep the answer with it.
      sending = undefined
      inFlight -= 1
      startNext(context)
      reportInFlight(context)
    }
    const fail = (cause: unknown): void => {
      leave()
      onFailure(toFailure(cause))
    }
    // The place is kept until the driver settles, also after a cancellation.
    const start = (): void => {
      inFlight += 1
      try {
        sending = send(statement())
        sending.rows.then((rows) => {
          leave()
          countEvents(rows, context)
          onSuccess(rows)
        }, fail)
      } catch (cause) {
        fail(cause)
      }
    }
    const room = readOnly ? roomToRead : width
    if (waiting.size === 0 && inFlight < room) {
      start()
      reportInFlight(context)
      // Shows zero, too, when no statement ever waits.
      if (!isReported) reportWaiting(context)
      isReported = true
      return () => sending?.abandon()
    }
    const entry: Waiting = { start, room }
    waiting.add(entry)
    reportWaiting(context)
    return () => {
      if (waiting.delete(entry)) {
        startNext(context)
        reportWaiting(context)
      } else sending?.abandon()
    }
  }
}

/** A bug is a defect; any other failure of a statement is an error of its port method. */
export const toError = (operation: string, cause: PgFailure): Effect.Effect<never, RepositoryError> =>
  isDefect(cause)
    ? Effect.die(cause)
    : Effect.fail(new RepositoryError({ operation, retryable: isRetryable(cause), cause }))

const repetitions = 5

/**
 * Decides after each failure whether to retry: up to five times when nothing took
 * effect for certain, once when a read lost its connection, and once when the server
 * is read-only, since the pool may find the primary.
 */
export const makeRetries = (readOnly: boolean) => {
  let rolledBackLeft = repetitions
  let lostLeft = readOnly ? 1 : 0
  let readOnlyLeft = 1
  return (failure: PgFailure, nothingHappened = isRolledBack(failure)): boolean => {
    if (nothingHappened) return rolledBackLeft-- > 0
    if (isReadOnlyServer(failure)) return readOnlyLeft-- > 0
    return isConnectionLost(failure) && lostLeft-- > 0
  }
}

// Node fires a longer timer, of 25 days, at once.
const longestTimer = 2 ** 31 - 1
// After a stall of the process, as at the start on a busy machine, one timer for the whole time would fire before the
// answer that has arrived meanwhile is read. A stall counts as one step.
const steps = 10

export const makeExecutor = (pool: PgPool, queryTimeout: Duration.Input): PgExecutor => {
  const submit = makeQueue(pool)
  const queryMillis = Duration.toMillis(queryTimeout)

  const withDeadline: PgExecutor["withDeadline"] = (operation, timeout, begin) =>
    Effect.withFiber(({ context }) =>
      Effect.callback((resume) => {
        const millis = timeout === undefined ? queryMillis : Duration.toMillis(timeout)
        let isSettled = false
        const settle = (answer: Parameters<typeof resume>[0]): void => {
          if (isSettled) return
          isSettled = true
          clearTimeout(timer)
          resume(answer)
        }
        let stepsLeft = steps
        const onStep = (): void => {
          stepsLeft -= 1
          if (stepsLeft > 0) return void timer.refresh()
          cancel()
          settle(toError(operation, timedOut(millis)))
        }
        const timer = setTimeout(onStep, Math.min(millis / steps, longestTimer))
        const cancel = begin({ settle, isSettled: () => isSettled }, context)

        return Effect.sync(() => {
          if (isSettled) return
          isSettled = true
          clearTimeout(timer)
          cancel()
        })
      })
    )

  const run: PgExecutor["run"] = (statement) => {
    const { operation, readOnly = false, timeout } = statement
    return withDeadline(operation, timeout, ({ isSettled, settle }, context) => {
      const mayRetry = makeRetries(readOnly)
      let cancel = (): void => {}
      const attempt = (): (() => void) => submit(task, context)
      const task: PgTask = {
        readOnly,
        statement: () => statement,
        onSuccess: (rows) => settle(Effect.succeed(rows)),
        onFailure: (failure) => {
          if (isSettled()) return
          if (mayRetry(failure)) cancel = attempt()
          else settle(toError(operation, failure))
        }
      }
      cancel = attempt()
      return () => cancel()
    })
  }

  return { run, submit, withDeadline }
}

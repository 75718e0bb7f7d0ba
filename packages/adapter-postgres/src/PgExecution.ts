/**
 * One statement from its call to its answer: the wait for a connection, the
 * repetitions and the time they may all take together. Written with callbacks,
 * since it runs for every statement: fibers that race with a clock would cost
 * more than the statement does on this side of the network.
 */
import { Effect } from "effect"
import type { PgRows } from "./PgClient.ts"
import type { PgSql } from "./PgDriver.ts"
import { isConnectionLost, isRolledBack, type PgFailure, timedOut, toFailure } from "./PgErrors.ts"
import { executing, type PgSource } from "./PgSource.ts"
import type { PgTurnstile } from "./PgTurnstile.ts"

/** `onlyReads`: may share a connection, and may be repeated once when its connection was lost. */
export interface PgTask {
  readonly statement: (client: PgSql) => PromiseLike<PgRows>
  readonly onlyReads: boolean
  readonly timeoutMillis: number
}

/** How often what was rolled back for certain is done again. */
export const repetitions = 5
/** In milliseconds: a timer of Node's that is to take longer, 25 days, goes off at once. */
export const longestTimer = 2 ** 31 - 1

/** Runs tasks on the connections of a source, as the turnstile lets them in. */
export const makeExecute =
  (source: PgSource, enter: PgTurnstile) =>
  ({ onlyReads, statement, timeoutMillis }: PgTask): Effect.Effect<PgRows, PgFailure> =>
    Effect.withFiber(({ context }) =>
      Effect.callback((resume) => {
        const { giveUp, run } = executing(source, statement)
        let rolledBackLeft = repetitions
        let lostLeft = onlyReads ? 1 : 0
        let isOver = false
        let leave = (): void => {}

        const end = (answer: Effect.Effect<PgRows, PgFailure>): void => {
          if (isOver) return
          isOver = true
          clearTimeout(timer)
          resume(answer)
        }

        const onFailure = (cause: unknown): void => {
          const failure = toFailure(cause)
          if (isOver) return
          if (rolledBackLeft > 0 && isRolledBack(failure)) {
            rolledBackLeft -= 1
            attempt()
          } else if (lostLeft > 0 && isConnectionLost(failure)) {
            lostLeft -= 1
            attempt()
          } else end(Effect.fail(failure))
        }

        const attempt = (): void => {
          leave = enter({ run, onlyReads, onSuccess: (rows) => end(Effect.succeed(rows)), onFailure }, context)
        }

        const onTimeout = (): void => {
          leave()
          giveUp()
          end(Effect.fail(timedOut(timeoutMillis)))
        }
        const timer = setTimeout(onTimeout, Math.min(timeoutMillis, longestTimer))
        attempt()

        return Effect.sync(() => {
          isOver = true
          clearTimeout(timer)
          leave()
        })
      })
    )

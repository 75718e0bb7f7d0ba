/**
 * One statement from its call to its answer: the wait for a connection, the
 * repetitions and the time they may all take together.
 */
import { Effect } from "effect"
import type { PgSql } from "./PgDriver.ts"
import { type PgFailure, toFailure } from "./PgErrors.ts"
import { executing, type PgSource } from "./PgSource.ts"
import type { PgRows } from "./PgStatement.ts"
import type { PgTurnstile } from "./PgTurnstile.ts"
import { attempts, waiting } from "./PgWaiting.ts"

/** `onlyReads`: may share a connection, and may be repeated once when its connection was lost. */
export interface PgTask {
  readonly statement: (client: PgSql) => PromiseLike<PgRows>
  readonly onlyReads: boolean
  readonly timeoutMillis: number
}

/** Runs tasks on the connections of a source, as the turnstile lets them in. */
export const makeExecute =
  (source: PgSource, enter: PgTurnstile) =>
  ({ onlyReads, statement, timeoutMillis }: PgTask): Effect.Effect<PgRows, PgFailure> =>
    waiting(timeoutMillis, ({ end, isOver }, context) => {
      const { giveUp, run } = executing(source, onlyReads, statement)
      const mayRepeat = attempts(onlyReads)
      let leave = (): void => {}

      const onSuccess = (rows: PgRows): void => end(Effect.succeed(rows))
      const onFailure = (cause: unknown): void => {
        const failure = toFailure(cause)
        if (isOver()) return
        if (mayRepeat(failure)) attempt()
        else end(Effect.fail(failure))
      }
      const attempt = (): void => {
        leave = enter({ run, onlyReads, onSuccess, onFailure }, context)
      }
      attempt()
      return { leave: () => leave(), giveUp }
    })

/**
 * Somebody who waits for a statement: for so long and no longer, and through so
 * many attempts. Written with callbacks, since it runs for every statement:
 * fibers that race with a clock would cost more than the statement does on this
 * side of the network.
 */
import { type Context, Effect } from "effect"
import { isConnectionLost, isRolledBack, type PgFailure, timedOut } from "./PgErrors.ts"

/** How somebody who waits is told; after the first time, or when nobody waits any more, nothing happens. */
export interface PgWaiter<A> {
  readonly end: (answer: Effect.Effect<A, PgFailure>) => void
  readonly isOver: () => boolean
}

/** What to do when nobody waits any more: `leave` the queue, and `giveUp` what was sent. */
interface Waiting {
  readonly leave: () => void
  readonly giveUp: () => void
}

// A timer of Node's that is to take longer, 25 days, goes off at once.
const longestTimer = 2 ** 31 - 1

/** Waits until what `begin` has begun ends it. */
export const waiting = <A>(
  timeoutMillis: number,
  begin: (waiter: PgWaiter<A>, context: Context.Context<never>) => Waiting
): Effect.Effect<A, PgFailure> =>
  Effect.withFiber(({ context }) =>
    Effect.callback((resume) => {
      let isOver = false
      const end = (answer: Effect.Effect<A, PgFailure>): void => {
        if (isOver) return
        isOver = true
        clearTimeout(timer)
        resume(answer)
      }
      const onTimeout = (): void => {
        leave()
        giveUp()
        end(Effect.fail(timedOut(timeoutMillis)))
      }
      const timer = setTimeout(onTimeout, Math.min(timeoutMillis, longestTimer))
      const { giveUp, leave } = begin({ end, isOver: () => isOver }, context)

      return Effect.sync(() => {
        if (isOver) return
        isOver = true
        clearTimeout(timer)
        leave()
        giveUp()
      })
    })
  )

const repetitions = 5

/**
 * Tells of each failure whether there may be another attempt: five times when
 * nothing took effect for certain, once when a read has lost its connection.
 */
export const attempts = (onlyReads: boolean) => {
  let rolledBackLeft = repetitions
  let lostLeft = onlyReads ? 1 : 0
  return (failure: PgFailure, nothingHappened = isRolledBack(failure)): boolean => {
    if (nothingHappened) return rolledBackLeft-- > 0
    return isConnectionLost(failure) && lostLeft-- > 0
  }
}

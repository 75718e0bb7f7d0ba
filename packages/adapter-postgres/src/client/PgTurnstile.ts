/**
 * Lets as many statements under way as there are connections. The others wait
 * here, where giving up leaves nothing behind; in the driver's queue they would
 * still be executed after their callers were told that nobody answered. What
 * only reads may do that, and may therefore be sent on a connection that is
 * still busy: under load that saves a third of what a statement costs.
 */
import { type Context, Metric } from "effect"

/** What is to be run once there is room, and who hears of its end. */
interface PgEntrant<A> {
  readonly run: () => PromiseLike<A>
  readonly onlyReads: boolean
  readonly onSuccess: (answer: A) => void
  readonly onFailure: (cause: unknown) => void
}

/**
 * Keeps the place of what has begun until its promise has settled, whoever still
 * listens. Nobody overtakes. Answers how to leave the queue. Metrics go to what
 * the context keeps.
 */
export type PgTurnstile = <A>(entrant: PgEntrant<A>, context: Context.Context<never>) => () => void

interface Waiting {
  readonly enter: () => void
  readonly room: number
}

const underWay = Metric.gauge("solar_sites_database_statements", {
  description: "Statements under way; what only reads may share a connection of the pool"
})
const queued = Metric.gauge("solar_sites_database_waiting", {
  description: "Statements that wait for a connection of the pool"
})

/** `roomToRead` (default `width`) is how many may be under way for one more that only reads. */
export const makeTurnstile = (width: number, roomToRead = width): PgTurnstile => {
  const waiting = new Set<Waiting>()
  let inside = 0
  let isShown = false

  const reportInside = (context: Context.Context<never>): void => underWay.updateUnsafe(inside, context)
  const reportWaiting = (context: Context.Context<never>): void => queued.updateUnsafe(waiting.size, context)

  const admit = (context: Context.Context<never>): void => {
    if (waiting.size === 0) return
    for (const next of waiting) {
      if (inside >= next.room) break
      waiting.delete(next)
      next.enter()
    }
    reportWaiting(context)
  }

  return ({ onFailure, onlyReads, onSuccess, run }, context) => {
    const leave = (): void => {
      inside -= 1
      admit(context)
      reportInside(context)
    }
    const fail = (cause: unknown): void => {
      leave()
      onFailure(cause)
    }
    const enter = (): void => {
      inside += 1
      try {
        run().then((answer) => {
          leave()
          onSuccess(answer)
        }, fail)
      } catch (cause) {
        // Nothing has begun: the place would be lost.
        fail(cause)
      }
    }
    const room = onlyReads ? roomToRead : width
    if (waiting.size === 0 && inside < room) {
      enter()
      reportInside(context)
      // Nobody may ever wait, and that is to be seen too.
      if (!isShown) reportWaiting(context)
      isShown = true
      return () => {}
    }
    const one: Waiting = { enter, room }
    waiting.add(one)
    reportWaiting(context)
    return () => {
      if (waiting.delete(one)) admit(context)
      reportWaiting(context)
    }
  }
}

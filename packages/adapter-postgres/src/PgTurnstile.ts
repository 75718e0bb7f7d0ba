/**
 * Lets as many statements under way as there are connections. The others wait
 * here, where giving up leaves nothing behind; in the driver's queue they would
 * still be executed after their callers were told that nobody answered. What
 * only reads may do that, and may therefore be sent on a connection that is
 * still busy: under load that saves a third of what a statement costs.
 */
import { type Context, Effect, Metric } from "effect"

/**
 * Runs a promise once there is room, and keeps its place until the promise has
 * settled, whoever still listens. Nobody overtakes.
 */
export type PgTurnstile = <A>(run: () => PromiseLike<A>, onlyReads: boolean) => Effect.Effect<A, unknown>

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

  const report = (context: Context.Context<never>): void => {
    underWay.updateUnsafe(inside, context)
    queued.updateUnsafe(waiting.size, context)
  }

  const admit = (context: Context.Context<never>): void => {
    for (const next of waiting) {
      if (inside >= next.room) break
      waiting.delete(next)
      next.enter()
    }
    report(context)
  }

  return <A>(run: () => PromiseLike<A>, onlyReads: boolean) =>
    Effect.contextWith((context: Context.Context<never>) =>
      Effect.callback<A, unknown>((resume) => {
        const enter = (): void => {
          inside += 1
          const leave = (answer: Effect.Effect<A, unknown>): void => {
            inside -= 1
            admit(context)
            resume(answer)
          }
          run().then(
            (answer) => leave(Effect.succeed(answer)),
            (cause) => leave(Effect.fail(cause))
          )
        }
        const one: Waiting = { enter, room: onlyReads ? roomToRead : width }
        waiting.add(one)
        admit(context)
        if (!waiting.has(one)) return
        return Effect.sync(() => {
          waiting.delete(one)
          admit(context)
        })
      })
    )
}

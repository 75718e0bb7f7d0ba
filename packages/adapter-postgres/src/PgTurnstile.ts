/**
 * Lets as many statements under way as there are connections. The others wait
 * here, where giving up leaves nothing behind; in the driver's queue they would
 * still be executed after their callers were told that nobody answered.
 */
import { type Context, Effect, Metric } from "effect"

/** Runs a promise once there is room, and keeps its place until the promise has settled, whoever still listens. */
export type PgTurnstile = <A>(run: () => PromiseLike<A>) => Effect.Effect<A, unknown>

const underWay = Metric.gauge("solar_sites_database_statements", {
  description: "Statements under way, at most one for each connection of the pool"
})
const queued = Metric.gauge("solar_sites_database_waiting", {
  description: "Statements that wait for a connection of the pool"
})

export const makeTurnstile = (width: number): PgTurnstile => {
  const waiting = new Set<() => void>()
  let inside = 0

  const report = (context: Context.Context<never>): void => {
    underWay.updateUnsafe(inside, context)
    queued.updateUnsafe(waiting.size, context)
  }

  const leave = (context: Context.Context<never>): void => {
    inside -= 1
    const [next] = waiting
    if (next === undefined) report(context)
    else {
      waiting.delete(next)
      next()
    }
  }

  return <A>(run: () => PromiseLike<A>) =>
    Effect.contextWith((context: Context.Context<never>) =>
      Effect.callback<A, unknown>((resume) => {
        const enter = (): void => {
          inside += 1
          report(context)
          run().then(
            (answer) => {
              leave(context)
              resume(Effect.succeed(answer))
            },
            (cause) => {
              leave(context)
              resume(Effect.fail(cause))
            }
          )
        }
        if (inside < width) return enter()
        waiting.add(enter)
        report(context)
        return Effect.sync(() => {
          waiting.delete(enter)
          report(context)
        })
      })
    )
}

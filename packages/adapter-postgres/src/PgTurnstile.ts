/**
 * Lets as many statements under way as there are connections. The others wait
 * here, where giving up leaves nothing behind; in the driver's queue they would
 * still be executed after their callers were told that nobody answered.
 */
import { Effect } from "effect"

/** Runs a promise once there is room, and keeps its place until the promise has settled, whoever still listens. */
export type PgTurnstile = <A>(run: () => PromiseLike<A>) => Effect.Effect<A, unknown>

export const makeTurnstile = (width: number): PgTurnstile => {
  const waiting = new Set<() => void>()
  let inside = 0

  const leave = (): void => {
    inside -= 1
    const [next] = waiting
    if (next !== undefined) {
      waiting.delete(next)
      next()
    }
  }

  return <A>(run: () => PromiseLike<A>) =>
    Effect.callback<A, unknown>((resume) => {
      const enter = (): void => {
        inside += 1
        run().then(
          (answer) => {
            leave()
            resume(Effect.succeed(answer))
          },
          (cause) => {
            leave()
            resume(Effect.fail(cause))
          }
        )
      }
      if (inside < width) return enter()
      waiting.add(enter)
      return Effect.sync(() => void waiting.delete(enter))
    })
}

/**
 * Lets the answers of one turn of the event loop leave together. Writing to a
 * connection wakes whoever listens at its other end, which costs as much as many
 * a request; the first answer pays for those that follow at once.
 */
import { Effect } from "effect"

type Resume = () => void

/** Gives each answer back at the end of the turn, in the order in which they came. */
export const together = (): (<A>(answer: A) => Effect.Effect<A>) => {
  let ready: Array<Resume> = []

  const release = () => {
    const all = ready
    ready = []
    for (const resume of all) resume()
  }

  return (answer) =>
    Effect.callback((resume) => {
      if (ready.length === 0) setImmediate(release)
      ready.push(() => resume(Effect.succeed(answer)))
    })
}

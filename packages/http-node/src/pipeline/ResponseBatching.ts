/**
 * Lets the answers of one turn of the event loop leave together. Writing to a
 * connection wakes whoever listens at its other end, which costs as much as many
 * a request; the first answer pays for those that follow at once.
 */
import { Effect } from "effect"

type Resume = () => void

// Of the platform, whatever clock the tests of a host put in its place later.
const { setImmediate: atEndOfTurn } = globalThis

/** Gives each answer back at the end of the turn, in the order in which they came. */
export const batchResponses = (): (<A>(answer: A) => Effect.Effect<A>) => {
  let ready: Array<Resume> = []

  const release = () => {
    const all = ready
    ready = []
    for (const resume of all) resume()
  }

  return (answer) =>
    Effect.callback((resume) => {
      if (ready.length === 0) atEndOfTurn(release)
      ready.push(() => resume(Effect.succeed(answer)))
    })
}

/**
 * Batches the responses of one turn of the event loop. Each write to a connection wakes its
 * reader, which costs about as much as several requests; responses written in one batch share
 * that cost.
 */
import { Effect } from "effect"

type Resume = () => void

// Taken at load, so that fake timers in the tests of a host do not replace it.
const { setImmediate: afterTurn } = globalThis

/** Returns each response at the end of the turn, in order of arrival. */
export const batchResponses = (): (<A>(response: A) => Effect.Effect<A>) => {
  let waiting: Array<Resume> = []

  const release = () => {
    const all = waiting
    waiting = []
    for (const resume of all) resume()
  }

  return (response) =>
    Effect.callback((resume) => {
      if (waiting.length === 0) afterTurn(release)
      waiting.push(() => resume(Effect.succeed(response)))
    })
}

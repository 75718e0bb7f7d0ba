/**
 * SIGTERM and SIGINT: the first one asks the server to finish what it is doing,
 * the second one ends the process at once.
 */
import { constants } from "node:os"
import { Effect } from "effect"

const signals: ReadonlyArray<NodeJS.Signals> = ["SIGINT", "SIGTERM"]

// Less than the ten seconds that supervisors grant before they kill.
const patienceMilliseconds = 9_500

const endAtOnce = (signal: NodeJS.Signals): never => process.exit(128 + constants.signals[signal])

/**
 * Ends with the first signal. From then on the process ends at the second one,
 * or when draining takes longer than 9.5 s, whatever still runs.
 */
export const firstSignal: Effect.Effect<NodeJS.Signals> = Effect.callback((resume) => {
  const onSignal = (signal: NodeJS.Signals) => {
    stopListening()
    for (const next of signals) process.on(next, endAtOnce)
    setTimeout(() => {
      process.stderr.write("The server did not come to an end within 9.5 s and was ended.\n")
      process.exit(1)
    }, patienceMilliseconds).unref()
    resume(Effect.succeed(signal))
  }
  const stopListening = () => {
    for (const signal of signals) process.removeListener(signal, onSignal)
  }
  for (const signal of signals) process.on(signal, onSignal)
  return Effect.sync(stopListening)
})

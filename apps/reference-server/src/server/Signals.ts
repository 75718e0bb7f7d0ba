/** SIGTERM and SIGINT: the first signal starts a shutdown, the second ends the process at once. */
import { constants } from "node:os"
import { Effect } from "effect"

const signals: ReadonlyArray<NodeJS.Signals> = ["SIGINT", "SIGTERM"]

// Less than the ten seconds that supervisors wait before SIGKILL.
const shutdownTimeoutMillis = 9_500

const endAtOnce = (signal: NodeJS.Signals): never => process.exit(128 + constants.signals[signal])

/**
 * Succeeds with the first signal. After it the process ends on the second signal,
 * or with exit code 1 after 9.5 s.
 */
export const firstSignal: Effect.Effect<NodeJS.Signals> = Effect.callback((resume) => {
  const onSignal = (signal: NodeJS.Signals) => {
    stopListening()
    for (const next of signals) process.on(next, endAtOnce)
    setTimeout(() => {
      process.stderr.write("The shutdown took longer than 9.5 s; the process ends now.\n")
      process.exit(1)
    }, shutdownTimeoutMillis).unref()
    resume(Effect.succeed(signal))
  }
  const stopListening = () => {
    for (const signal of signals) process.removeListener(signal, onSignal)
  }
  for (const signal of signals) process.on(signal, onSignal)
  return Effect.sync(stopListening)
})

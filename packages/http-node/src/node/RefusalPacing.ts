/**
 * Spreads refusals without work (429, 503 `overloaded`, and 401, since requests without a key have no
 * limit) over time. Clients that repeat a refused request at once would otherwise take the processor
 * time of other organisations.
 */
import { Effect } from "effect"
import type { HttpServerResponse } from "effect/http"

const intervalMs = 1
/** So many milliseconds' worth of refusals are sent at once. */
const burstMs = 100
const longestDelayMs = 500

// Taken at load, so that fake timers in the tests of a host do not replace it.
const { setTimeout: later } = globalThis

/**
 * Takes an instant of a monotonic clock and returns the delay of the next refusal, both in
 * milliseconds: 0 until more than 1,000 a second are sent, then as long as that rate needs, at most
 * 500.
 */
export type RefusalDelay = (now: number) => number

export const makeRefusalPacing = (): RefusalDelay => {
  let next = Number.NEGATIVE_INFINITY
  return (now) => {
    const due = Math.max(next, now - burstMs)
    next = Math.min(due + intervalMs, now + longestDelayMs)
    return Math.max(0, due - now)
  }
}

const paced: ReadonlySet<number> = new Set([401, 429])

/** Delays responses with status 401 or 429. */
export const pacingRefusals =
  (delayAt: RefusalDelay) =>
  (response: HttpServerResponse.HttpServerResponse): Effect.Effect<HttpServerResponse.HttpServerResponse> => {
    if (!paced.has(response.status)) return Effect.succeed(response)
    const delay = delayAt(performance.now())
    if (delay === 0) return Effect.succeed(response)
    return Effect.callback((resume) => {
      later(() => resume(Effect.succeed(response)), delay)
    })
  }

/** Calls `send` after the delay of the next refusal. */
export const sendPaced = (delayAt: RefusalDelay, send: () => void): void => {
  const delay = delayAt(performance.now())
  if (delay === 0) send()
  else later(send, delay)
}

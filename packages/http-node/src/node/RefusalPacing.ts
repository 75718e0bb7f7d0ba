/**
 * Spreads refusals without work over time: 429, and 401, since requests without a key have no limit, are sent
 * later; after a 503 `overloaded` the connection rests. Clients that repeat a refused request at once would
 * otherwise take the processor time of other organisations.
 */
import type { ServerResponse } from "node:http"
import { Effect } from "effect"
import type { HttpServerResponse } from "effect/http"

const intervalMs = 1
/** So many milliseconds' worth of refusals are sent at once. */
const burstMs = 100
const longestDelayMs = 500
// A request is then still answered within a second.
const longestRestMs = 250

// Taken at load, so that fake timers in the tests of a host do not replace it.
const { setImmediate: afterTurn, setTimeout: later } = globalThis

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

/**
 * Reads no further request from the connection of a refusal for the delay of the next refusal, at most 250 ms. A request
 * that comes meanwhile waits in the kernel, where it costs neither time nor memory.
 */
export const restAfter = (delayAt: RefusalDelay, response: ServerResponse): void => {
  const delay = Math.min(delayAt(performance.now()), longestRestMs)
  if (delay === 0) return
  const { socket } = response.req
  const pause = () => {
    socket.pause()
    later(() => socket.resume(), delay)
  }
  // Node reads on when the response has ended, in the same turn: the rest of an unread body.
  response.once("close", () => afterTurn(pause))
}

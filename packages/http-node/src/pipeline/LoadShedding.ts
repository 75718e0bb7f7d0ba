/**
 * Refuses requests that would be answered too late, so that the others are answered in time. The
 * waiting time of a request follows from the number of waiting requests and the rate of responses
 * (Little's law).
 */
import { Effect } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import { hasBody } from "./JsonBody.ts"
import { isNodeRequest } from "./NodeBody.ts"

// A request also waits before the event loop sees it, for as long again or longer: decision 17.
const longestWaitSeconds = 0.2
// Fewer are never refused: without waiting requests the rate cannot be measured.
const leastWaiting = 50
// With fewer waiting requests the rate is that of the clients, not of the server.
const backlog = 16
const firstPerSecond = 1_000
const windowMilliseconds = 100

/** Instants are milliseconds of a monotonic clock. */
export interface LoadShedding {
  /** True when a further request would wait too long. */
  readonly isFull: (now: number) => boolean
  /** A request has arrived completely and waits for its response. */
  readonly enter: (now: number) => void
  /** Its response begins. */
  readonly leave: (now: number) => void
}

export const makeLoadShedding = (): LoadShedding => {
  let waiting = 0
  let perSecond = firstPerSecond
  let windowStart = 0
  let answered = 0
  let fewestWaiting = 0

  const measure = (now: number): void => {
    fewestWaiting = Math.min(fewestWaiting, waiting)
    const elapsed = now - windowStart
    if (elapsed < windowMilliseconds) return
    if (fewestWaiting >= backlog) perSecond = (perSecond + (answered * 1_000) / elapsed) / 2
    windowStart = now
    answered = 0
    fewestWaiting = waiting
  }

  return {
    isFull: (now) => {
      measure(now)
      return waiting >= Math.max(leastWaiting, perSecond * longestWaitSeconds)
    },
    enter: (now) => {
      measure(now)
      waiting += 1
    },
    leave: (now) => {
      waiting -= 1
      answered += 1
      measure(now)
    }
  }
}

type Request = HttpServerRequest.HttpServerRequest

/**
 * Counts requests while they wait. A request counts once its body has arrived, so that slow
 * clients occupy no place.
 */
export const counted = <Exchange, E, R>(
  load: LoadShedding,
  answer: (request: Request, exchange: Exchange) => Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
) => {
  return (request: Request, exchange: Exchange): Effect.Effect<HttpServerResponse.HttpServerResponse, E, R> => {
    const answered = answer(request, exchange)
    const { source } = request
    let hasEntered = false
    const enter = () => {
      hasEntered = true
      load.enter(performance.now())
    }
    const awaitsBody = isNodeRequest(source) && hasBody(request) && !source.readableEnded
    if (awaitsBody) source.once("end", enter)
    else enter()
    return Effect.onExit(answered, () =>
      Effect.sync(() => {
        if (hasEntered) load.leave(performance.now())
        else if (awaitsBody) source.off("end", enter)
      })
    )
  }
}

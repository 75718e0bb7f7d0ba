/**
 * Refuses requests that would be answered too late, so that the others come in
 * time. How long a request would wait follows from how many wait already and how
 * many are answered per second (Little's law).
 */
import { Effect } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import { hasBody } from "./JsonBody.ts"
import { isNodeRequest } from "./NodeBody.ts"

// With the time in which the event loop has not yet seen a request, an answer comes within a second.
const longestWaitSeconds = 0.4
// Never refused: without some that wait there is nothing to measure.
const leastWaiting = 50
// Below this the rate is that of the clients and not of the server.
const backlog = 16
const firstPerSecond = 1_000
const windowMilliseconds = 100

/** All instants are in milliseconds of a clock that only goes forward. */
export interface LoadShedding {
  /** True when one more request would wait too long. */
  readonly isFull: (now: number) => boolean
  /** A request has arrived whole and waits for its answer. */
  readonly enter: (now: number) => void
  /** Its answer begins. */
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
 * The same answers, counted while they wait. A request counts from the moment at which its body is there, so that slow
 * clients take no place.
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

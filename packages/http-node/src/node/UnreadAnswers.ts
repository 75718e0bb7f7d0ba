/** Ends responses that their clients do not read (specification, section 8). */
import type { ServerResponse } from "node:http"
import { type KernelQueues, readKernelQueues } from "./KernelQueues.ts"

const defaultTimeoutMs = 30_000
const defaultMaximumBytes = 64 * 1_048_576

// Estimate of the memory that a streamed response holds, in bytes, until `holds` says otherwise.
const streamBytes = 256 * 1_024

const looksPerTimeout = 30

interface Watched {
  readonly response: ServerResponse
  /** Last time at which bytes left the connection, or none waited. */
  progressAt: number
  sentBytes: number
  queue: string | undefined
}

export interface UnreadAnswers {
  /** Watches a response until it closes. */
  readonly watch: (response: ServerResponse) => void
  /** The response to this request of Node holds this many bytes until it is sent. */
  readonly holds: (request: object, bytes: number) => void
}

/**
 * Closes the connection of a response when its client reads nothing for
 * `timeoutMs` milliseconds (default 30 s), and before that, those that have
 * waited longest, while waiting responses hold more than `maximumBytes`
 * (default 64 MiB) together. A client that reads slowly is served.
 */
export const endUnreadAnswers = ({
  maximumBytes = defaultMaximumBytes,
  timeoutMs = defaultTimeoutMs
}: {
  readonly timeoutMs?: number | undefined
  readonly maximumBytes?: number | undefined
} = {}): UnreadAnswers => {
  // An array with reused places: the outgrown tables of a set keep responses until the next full garbage collection.
  const places: Array<Watched | undefined> = []
  const free: Array<number> = []
  const heldBytes = new WeakMap<object, number>()
  let timer: NodeJS.Timeout | undefined
  let isLooking = false

  /** True while bytes wait and none has gone out since the last look. */
  const isWaiting = (watched: Watched, now: number): boolean => {
    const { response } = watched
    const { bytesWritten, writableLength } = response.req.socket
    const sentBytes = bytesWritten - writableLength
    if (response.writableLength > 0 && sentBytes === watched.sentBytes) return true
    watched.sentBytes = sentBytes
    watched.progressAt = now
    return false
  }

  const compareQueues = (waiting: ReadonlyArray<Watched>, queueOf: KernelQueues, now: number): void => {
    for (const watched of waiting) {
      const queue = queueOf(watched.response.req.socket)
      if (watched.queue !== undefined && queue !== watched.queue) watched.progressAt = now
      watched.queue = queue
    }
  }

  const look = async (): Promise<void> => {
    const now = performance.now()
    const waiting = places.filter((watched) => watched !== undefined).filter((watched) => isWaiting(watched, now))
    // Reading all connections of the machine costs milliseconds: only when a response is about to be ended.
    if (waiting.some(({ progressAt }) => now - progressAt > timeoutMs / 2)) {
      compareQueues(waiting, await readKernelQueues(), now)
    }
    let held = 0
    for (const { progressAt, response } of waiting.sort((a, b) => b.progressAt - a.progressAt)) {
      held += heldBytes.get(response.req) ?? streamBytes
      if (held > maximumBytes || now - progressAt >= timeoutMs) response.req.socket.destroy()
    }
  }

  const tick = (): void => {
    if (free.length === places.length) {
      clearInterval(timer)
      timer = undefined
    } else if (!isLooking) {
      isLooking = true
      void look().finally(() => {
        isLooking = false
      })
    }
  }

  return {
    watch: (response) => {
      timer ??= setInterval(tick, timeoutMs / looksPerTimeout).unref()
      const place = free.pop() ?? places.length
      places[place] = { response, progressAt: performance.now(), sentBytes: 0, queue: undefined }
      response.once("close", () => {
        places[place] = undefined
        free.push(place)
      })
    },
    holds: (request, bytes) => void heldBytes.set(request, bytes)
  }
}

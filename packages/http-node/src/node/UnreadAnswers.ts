/**
 * Ends answers that their clients do not read (specification, section 8).
 *
 * @since 0.1.0
 */
import type { ServerResponse } from "node:http"
import { type KernelQueues, readKernelQueues } from "./KernelQueues.ts"

const defaultPatience = 30_000
const defaultMaximumBytes = 64 * 1_048_576

// What a streamed answer holds for its reader, unless it is known better.
const streamBytes = 256 * 1_024

const looksPerPatience = 30

interface Watched {
  readonly response: ServerResponse
  /** When bytes of its connection were last seen to go out, or none waited. */
  progressAt: number
  sentBytes: number
  queue: string | undefined
}

/**
 * @category models
 * @since 0.1.0
 */
export interface UnreadAnswers {
  /** Watches a response until it closes. */
  readonly watch: (response: ServerResponse) => void
  /** The answer to this request of Node's holds so many bytes until it is sent. */
  readonly holds: (request: object, bytes: number) => void
}

/**
 * Closes the connection of a response when its client reads nothing for
 * `patience` milliseconds (default 30 s), and before that, those that have
 * waited longest, while waiting responses hold more than `maximumBytes`
 * (default 64 MiB) together. A client that reads slowly is served.
 *
 * @category constructors
 * @since 0.1.0
 */
export const endUnreadAnswers = ({
  maximumBytes = defaultMaximumBytes,
  patience = defaultPatience
}: {
  readonly patience?: number | undefined
  readonly maximumBytes?: number | undefined
} = {}): UnreadAnswers => {
  // Places instead of a set, whose outgrown tables would keep each response until the next full garbage collection.
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
    // Reading all connections of the machine costs milliseconds: only for what is about to be ended.
    if (waiting.some(({ progressAt }) => now - progressAt > patience / 2)) {
      compareQueues(waiting, await readKernelQueues(), now)
    }
    let held = 0
    for (const { progressAt, response } of waiting.sort((a, b) => b.progressAt - a.progressAt)) {
      held += heldBytes.get(response.req) ?? streamBytes
      if (held > maximumBytes || now - progressAt >= patience) response.req.socket.destroy()
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
      timer ??= setInterval(tick, patience / looksPerPatience).unref()
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

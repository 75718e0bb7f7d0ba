/**
 * How long the client waits, and what for: the end of an attempt, and the time
 * until the next one. It needs no clock: what is bounded is the number of
 * attempts, the length of each, and the sum of the pauses.
 */

/**
 * @category options
 * @since 0.1.0
 */
export interface RetryOptions {
  /** How often a request is sent at most; 4 unless told otherwise. */
  readonly attempts?: number | undefined
  /** How long the pauses between them may be together; 15,000 unless told otherwise. */
  readonly maximumWaitMillis?: number | undefined
}

const firstPause = 250
const longestPause = 4_000
// Timers overflow above this and would fire at once.
const longestTimer = 2 ** 31 - 1

const random = (): number => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32

/**
 * Gives the pause after each attempt in milliseconds, `null` when there is to be
 * no other one. It grows, differs from client to client, and is never shorter
 * than `retryAfter` (seconds); a service that wants more patience than there is
 * left is not asked again.
 */
export const makePauses = ({ attempts = 4, maximumWaitMillis = 15_000 }: RetryOptions) => {
  let made = 0
  let left = maximumWaitMillis
  return (retryAfter: number | null): number | null => {
    made += 1
    const ceiling = Math.min(firstPause * 2 ** (made - 1), longestPause)
    const grown = ceiling * (0.5 + random() / 2)
    const asked = retryAfter === null ? 0 : retryAfter * 1_000 + random() * firstPause
    const pause = Math.round(Math.max(grown, asked))
    if (made >= attempts || pause > left) return null
    left -= pause
    return pause
  }
}

/** Rejects with the reason of the signal as soon as there is one. */
export const pause = (millis: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(signal.reason)
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop)
      resolve()
    }, millis)
    signal?.addEventListener("abort", stop, { once: true })
  })

/** When an attempt ends without having ended by itself. */
export interface Limits {
  readonly signal: AbortSignal | undefined
  readonly timeoutMillis: number
  /** What it rejects with when its time is up. */
  readonly tooLate: () => unknown
}

/**
 * Runs an attempt that the caller can break off and that does not last for ever,
 * even if what it calls pays no heed to its signal.
 */
export const within = <A>(
  { signal, timeoutMillis, tooLate }: Limits,
  attempt: (signal: AbortSignal) => Promise<A>
): Promise<A> => {
  const controller = new AbortController()
  const stop = () => controller.abort(signal?.reason)
  if (signal?.aborted === true) stop()
  signal?.addEventListener("abort", stop, { once: true })
  const timer = setTimeout(() => controller.abort(tooLate()), Math.min(timeoutMillis, longestTimer))
  return new Promise<A>((resolve, reject) => {
    const enough = () => reject(controller.signal.reason)
    if (controller.signal.aborted) return enough()
    controller.signal.addEventListener("abort", enough, { once: true })
    attempt(controller.signal).then(resolve, reject)
  }).finally(() => {
    clearTimeout(timer)
    signal?.removeEventListener("abort", stop)
  })
}

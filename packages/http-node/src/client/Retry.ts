/**
 * Retries and timeouts. Three things are bounded: the number of attempts, the duration of each, and
 * the sum of the pauses.
 */

export interface RetryOptions {
  /** Maximum number of attempts; 4 by default. */
  readonly attempts?: number | undefined
  /** Maximum sum of the pauses in milliseconds; 15,000 by default. */
  readonly maximumWaitMillis?: number | undefined
}

const firstPause = 250
const longestPause = 4_000
// A longer timer overflows and fires at once.
const longestTimer = 2 ** 31 - 1

const random = (): number => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32

/**
 * The pause after each attempt in milliseconds, `null` if there is no other attempt: exponential
 * with jitter, and at least `retryAfter` (seconds). A `retryAfter` beyond the remaining sum ends
 * the retries.
 */
export const makePauses = ({ attempts = 4, maximumWaitMillis = 15_000 }: RetryOptions) => {
  let attempt = 0
  let remaining = maximumWaitMillis
  return (retryAfter: number | null): number | null => {
    attempt += 1
    const ceiling = Math.min(firstPause * 2 ** (attempt - 1), longestPause)
    const backoff = ceiling * (0.5 + random() / 2)
    const requested = retryAfter === null ? 0 : retryAfter * 1_000 + random() * firstPause
    const pause = Math.round(Math.max(backoff, requested))
    if (attempt >= attempts || pause > remaining) return null
    remaining -= pause
    return pause
  }
}

/** Rejects with the reason of the signal when it is aborted. */
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

/** The limits of one attempt. */
export interface Limits {
  readonly signal: AbortSignal | undefined
  readonly timeoutMillis: number
  /** The error of a timeout. */
  readonly timeoutError: () => unknown
}

/** Runs an attempt within its limits, even if it ignores its own signal. */
export const within = <A>(
  { signal, timeoutMillis, timeoutError }: Limits,
  attempt: (signal: AbortSignal) => Promise<A>
): Promise<A> => {
  const controller = new AbortController()
  const stop = () => controller.abort(signal?.reason)
  if (signal?.aborted === true) stop()
  signal?.addEventListener("abort", stop, { once: true })
  const timer = setTimeout(() => controller.abort(timeoutError()), Math.min(timeoutMillis, longestTimer))
  return new Promise<A>((resolve, reject) => {
    const cancel = () => reject(controller.signal.reason)
    if (controller.signal.aborted) return cancel()
    controller.signal.addEventListener("abort", cancel, { once: true })
    attempt(controller.signal).then(resolve, reject)
  }).finally(() => {
    clearTimeout(timer)
    signal?.removeEventListener("abort", stop)
  })
}

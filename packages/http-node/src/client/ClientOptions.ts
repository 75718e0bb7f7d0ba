/**
 * What a client is made from, and what one call can be told.
 *
 * @since 0.1.0
 */
import type { RetryOptions } from "./Retry.ts"

/**
 * Sends a request and gives its answer: the global `fetch`, or the `handler` of
 * `toWebHandler`.
 *
 * @category options
 * @since 0.1.0
 */
export type Fetch = (request: Request) => Promise<Response>

/**
 * @category options
 * @since 0.1.0
 */
export interface ClientOptions {
  /** Where the service is, with its prefix if it has one; in a browser it can be a path, such as `/solar`. */
  readonly baseUrl: string | URL
  /**
   * Stays inside the client: nothing it makes, throws or prints holds the key. Left out where the host tells callers
   * by something else, such as the cookie of a page on its own origin. Not to be given as `undefined`: a variable that
   * was not set is no choice.
   */
  readonly apiKey?: string
  /** Instead of the global `fetch`, for requests and for files. */
  readonly fetch?: Fetch | undefined
  /** `false` to send everything once. */
  readonly retry?: RetryOptions | false | undefined
  /** How long one attempt may take; 30,000 unless told otherwise. */
  readonly timeoutMillis?: number | undefined
}

/**
 * Of any call, as of those that follow; a call that is told something else rejects with a `TypeError`.
 *
 * @category options
 * @since 0.1.0
 */
export interface CallOptions {
  /** Breaks the call off, pauses between attempts too; the promise rejects with its reason. */
  readonly signal?: AbortSignal | undefined
  /** Instead of what the client was made with. */
  readonly timeoutMillis?: number | undefined
}

/**
 * Of a POST. Every one is sent with an `Idempotency-Key`, so that repeating it is safe.
 *
 * @category options
 * @since 0.1.0
 */
export interface CreateOptions extends CallOptions {
  /** One of your own, to repeat a request later on or from elsewhere; otherwise each call gets a new one. */
  readonly idempotencyKey?: string | undefined
}

/**
 * Of a PUT or DELETE.
 *
 * @category options
 * @since 0.1.0
 */
export interface ChangeOptions extends CallOptions {
  /** Only in this version, such as `site.version`; `precondition_failed` in any other. */
  readonly expectedVersion?: number | undefined
}

/**
 * How much of a file has been sent.
 *
 * @category options
 * @since 0.1.0
 */
export interface UploadProgress {
  readonly sentBytes: number
  readonly totalBytes: number
}

/**
 * @category options
 * @since 0.1.0
 */
export interface SendOptions extends CallOptions {
  /** Called with nothing and with everything sent at least; in browsers, without a `fetch` of yours, in between too. */
  readonly onProgress?: ((progress: UploadProgress) => void) | undefined
  /** How long sending may take; 600,000 unless told otherwise. */
  readonly timeoutMillis?: number | undefined
}

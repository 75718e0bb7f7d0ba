/**
 * What a client is made from, and what one call can be told.
 *
 * @since 0.1.0
 */
import type * as Core from "@solar-sites/core/model"
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
 * Options of every call. An unknown option rejects with a `TypeError`.
 *
 * @category options
 * @since 0.1.0
 */
export interface CallOptions extends Core.CallOptions {
  /** Limit of one attempt in milliseconds; by default that of the client. */
  readonly timeoutMillis?: number | undefined
}

/**
 * Options of a POST. Each is sent with an `Idempotency-Key`, so it can be repeated safely.
 *
 * @category options
 * @since 0.1.0
 */
export interface CreateOptions extends CallOptions {
  /** A key of your own, to repeat the request later or from another process; a new one per call by default. */
  readonly idempotencyKey?: string | undefined
}

/**
 * Options of a PUT or DELETE.
 *
 * @category options
 * @since 0.1.0
 */
export interface ChangeOptions extends CallOptions, Core.ChangeCallOptions {}

/**
 * The options per kind of operation.
 *
 * @category options
 * @since 0.1.0
 */
export interface ClientOperationOptions extends Core.OperationOptions {
  readonly read: CallOptions
  readonly create: CreateOptions
  readonly change: ChangeOptions
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

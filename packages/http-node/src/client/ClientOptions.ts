/** The options of a client and of its calls. */
import type * as Core from "@solar-sites/core/model"
import type { RetryOptions } from "./Retry.ts"

/** Sends a request: the global `fetch`, or the `handler` of `toWebHandler`. */
export type Fetch = (request: Request) => Promise<Response>

export interface ClientOptions {
  /** The address of the service with its prefix, if any. In a browser a path such as `/solar` is enough. */
  readonly baseUrl: string | URL
  /**
   * Sent with requests to the service only; no error or property of the client contains it. Leave it out if the host
   * authenticates otherwise, for example by cookie. `undefined` does not compile: it is usually a missing variable.
   */
  readonly apiKey?: string
  /** Replaces the global `fetch`, for requests and for files. */
  readonly fetch?: Fetch | undefined
  /** `false` sends every request once. */
  readonly retry?: RetryOptions | false | undefined
  /** Limit of one attempt in milliseconds; 30,000 by default. */
  readonly timeoutMillis?: number | undefined
}

/** Options of every call. An unknown option rejects with a `TypeError`. */
export interface CallOptions extends Core.CallOptions {
  /** Limit of one attempt in milliseconds; by default that of the client. */
  readonly timeoutMillis?: number | undefined
}

/** Options of a POST. Each is sent with an `Idempotency-Key`, so it can be repeated safely. */
export interface CreateOptions extends CallOptions {
  /** A key of your own, to repeat the request later or from another process; a new one per call by default. */
  readonly idempotencyKey?: string | undefined
}

/** Options of a PUT or DELETE. */
export interface ChangeOptions extends CallOptions, Core.ChangeCallOptions {}

/** The options per kind of operation. */
export interface ClientOperationOptions extends Core.OperationOptions {
  readonly read: CallOptions
  readonly create: CreateOptions
  readonly change: ChangeOptions
}

/** The progress of a file. */
export interface UploadProgress {
  readonly sentBytes: number
  readonly totalBytes: number
}

export interface SendOptions extends CallOptions {
  /** Called at the start and at the end; in browsers without a `fetch` of yours also in between. */
  readonly onProgress?: ((progress: UploadProgress) => void) | undefined
  /** Limit of sending the file in milliseconds; 600,000 by default. */
  readonly timeoutMillis?: number | undefined
}

/**
 * How a request can end instead of an answer. `code` tells all of them apart;
 * none of them ever holds the API key.
 *
 * @since 0.1.0
 */
import type { Fault, PlainDocument, PlainRefusedUpload } from "@solar-sites/core/model"
import type * as Contract from "../contract/index.ts"

/**
 * A refusal as the service sends it (RFC 9457).
 *
 * @category models
 * @since 0.1.0
 */
export type Problem = typeof Contract.Problem.Encoded

/** Which request it was: `what` without query and key, `attempts` how often it was sent. */
export interface Sent {
  readonly what: string
  readonly attempts: number
}

/**
 * Whatever the client itself rejects with once it sends. Only an `AbortSignal` of
 * yours rejects with something else: its reason.
 *
 * @category errors
 * @since 0.1.0
 */
export abstract class SolarSitesError extends Error {
  abstract readonly code: string
  /** How often the request was sent. */
  readonly attempts: number

  constructor(message: string, attempts: number, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.attempts = attempts
  }

  /** Everything there is to log. */
  toJSON(): object {
    return { ...this, message: this.message }
  }
}

/**
 * The service has refused: `code` says why, `errors` names every fault of the
 * request, `retryAfter` is in seconds. After a lost connection (`attempts` above
 * one) `precondition_failed` can be about your own change.
 *
 * @category errors
 * @since 0.1.0
 */
export class SolarSitesProblem extends SolarSitesError {
  override readonly name = "SolarSitesProblem"
  // A newer service may have codes that this client does not know by name.
  readonly code: Contract.ProblemCode | (string & {})
  readonly status: number
  readonly title: string
  readonly detail: string
  readonly requestId: string | null
  readonly errors: ReadonlyArray<Fault>
  readonly retryAfter: number | null

  constructor(problem: Problem, { attempts, what }: Sent, retryAfter: number | null) {
    super(`${what} was refused: ${problem.code} (${problem.status}). ${problem.detail}`, attempts)
    this.code = problem.code
    this.status = problem.status
    this.title = problem.title
    this.detail = problem.detail
    this.requestId = problem.requestId
    this.errors = problem.errors ?? []
    this.retryAfter = retryAfter
  }
}

/**
 * Something has answered, but not as the service does: a proxy on the way, or
 * whatever is at a wrong `baseUrl`.
 *
 * @category errors
 * @since 0.1.0
 */
export class SolarSitesAnswerError extends SolarSitesError {
  override readonly name = "SolarSitesAnswerError"
  readonly code = "unexpected_answer"
  /** 0 when a browser hides where it was redirected to. */
  readonly status: number
  readonly requestId: string | null
  readonly retryAfter: number | null

  constructor(
    answer: { readonly status: number; readonly requestId: string | null; readonly retryAfter: number | null },
    why: string,
    { attempts, what }: Sent
  ) {
    super(`${what} was answered with ${answer.status}, but ${why}.`, attempts)
    this.status = answer.status
    this.requestId = answer.requestId
    this.retryAfter = answer.retryAfter
  }
}

/**
 * There was no answer, or only a part of it; `cause` is what `fetch` said.
 * Whether a change has happened is not known.
 *
 * @category errors
 * @since 0.1.0
 */
export class SolarSitesNetworkError extends SolarSitesError {
  override readonly name: string = "SolarSitesNetworkError"
  readonly code: "network_failed" | "timed_out" = "network_failed"

  constructor({ attempts, what }: Sent, cause?: unknown, why = "got no answer") {
    super(`${what} ${why}.`, attempts, cause)
  }
}

/**
 * There was no answer in time.
 *
 * @category errors
 * @since 0.1.0
 */
export class SolarSitesTimeoutError extends SolarSitesNetworkError {
  override readonly name = "SolarSitesTimeoutError"
  override readonly code = "timed_out"

  constructor(sent: Sent, timeoutMillis: number) {
    super(sent, undefined, `got no answer within ${timeoutMillis} ms`)
  }
}

/**
 * Why a file did not go to storage: policy has refused it, the document has
 * failed meanwhile, a file is there already, or storage has refused it otherwise.
 *
 * @category models
 * @since 0.1.0
 */
export type UploadErrorCode =
  | PlainRefusedUpload["error"]["code"]
  | "address_lapsed"
  | "already_uploaded"
  | "upload_refused"

/**
 * A file was not taken. `status` is what storage answered, `documentStatus` the
 * state of the document where it was looked up.
 *
 * @category errors
 * @since 0.1.0
 */
export class SolarSitesUploadError extends SolarSitesError {
  override readonly name = "SolarSitesUploadError"
  readonly code: UploadErrorCode
  readonly documentId: string | null
  readonly status: number | null
  readonly documentStatus: PlainDocument["status"] | null

  constructor(
    code: UploadErrorCode,
    message: string,
    about: {
      readonly attempts: number
      readonly documentId?: string
      readonly status?: number
      readonly documentStatus?: PlainDocument["status"]
    },
    cause?: unknown
  ) {
    super(message, about.attempts, cause)
    this.code = code
    this.documentId = about.documentId ?? null
    this.status = about.status ?? null
    this.documentStatus = about.documentStatus ?? null
  }
}

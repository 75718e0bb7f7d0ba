/** The errors of the client, told apart by `code`. None contains the API key. */
import type { Fault, PlainDocument, PlainRefusedUpload } from "@solar-sites/core/model"
import type * as Contract from "../contract/index.ts"

/** A refusal as the service sends it (RFC 9457). */
export type Problem = typeof Contract.Problem.Encoded

/** A request that was sent: `what` is method and path, `attempts` how often it was sent. */
export interface Sent {
  readonly what: string
  readonly attempts: number
}

/**
 * The base of all errors of a sent request. An `AbortSignal` of yours rejects with its own reason
 * instead.
 */
export abstract class SolarSitesError extends Error {
  abstract readonly code: string
  /** How many times the request was sent. */
  readonly attempts: number

  constructor(message: string, attempts: number, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.attempts = attempts
  }

  /** All members, for a log. */
  toJSON(): object {
    return { ...this, message: this.message }
  }
}

/**
 * The service refused the request: `code` is the reason, `errors` are the faults of the input,
 * `retryAfter` is in seconds. With `attempts` above 1, `precondition_failed` may be caused by
 * your own change in an earlier attempt.
 */
export class SolarSitesProblem extends SolarSitesError {
  override readonly name = "SolarSitesProblem"
  // A newer service may send codes that are unknown here.
  readonly code: Contract.ProblemCode | (string & {})
  readonly status: number
  readonly title: string
  readonly detail: string
  readonly requestId: string | null
  readonly errors: ReadonlyArray<Fault>
  /** The resources that have the external ids of the request, of `external_id_taken` alone. */
  readonly conflicts: ReadonlyArray<NonNullable<Problem["conflicts"]>[number]>
  readonly retryAfter: number | null

  constructor(problem: Problem, { attempts, what }: Sent, retryAfter: number | null) {
    super(`${what} was refused: ${problem.code} (${problem.status}). ${problem.detail}`, attempts)
    this.code = problem.code
    this.status = problem.status
    this.title = problem.title
    this.detail = problem.detail
    this.requestId = problem.requestId
    this.errors = problem.errors ?? []
    this.conflicts = problem.conflicts ?? []
    this.retryAfter = retryAfter
  }
}

/** The response is not one of the service: it comes from a proxy, or `baseUrl` is wrong. */
export class SolarSitesAnswerError extends SolarSitesError {
  override readonly name = "SolarSitesAnswerError"
  readonly code = "unexpected_answer"
  /** 0 for a redirect in a browser. */
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
 * No response, or an incomplete one; `cause` is the error of `fetch`. A change may or may not have
 * happened.
 */
export class SolarSitesNetworkError extends SolarSitesError {
  override readonly name: string = "SolarSitesNetworkError"
  readonly code: "network_failed" | "timed_out" = "network_failed"

  constructor({ attempts, what }: Sent, cause?: unknown, why = "got no answer") {
    super(`${what} ${why}.`, attempts, cause)
  }
}

/** No response within `timeoutMillis`. */
export class SolarSitesTimeoutError extends SolarSitesNetworkError {
  override readonly name = "SolarSitesTimeoutError"
  override readonly code = "timed_out"

  constructor(sent: Sent, timeoutMillis: number) {
    super(sent, undefined, `got no answer within ${timeoutMillis} ms`)
  }
}

/**
 * Why a file was not stored: a refusal of the upload policy, `address_lapsed` (the document has
 * failed), `already_uploaded` (there is a file already), or `upload_refused` by storage.
 */
export type UploadErrorCode =
  | PlainRefusedUpload["error"]["code"]
  | "address_lapsed"
  | "already_uploaded"
  | "upload_refused"

/**
 * A file was not stored. `status` is the HTTP status of storage, `documentStatus` the status of the
 * document if it was read.
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

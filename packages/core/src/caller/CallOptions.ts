/**
 * Options of calls that library and HTTP client have in common.
 */
/**
 * `signal` cancels the call; the promise rejects with its reason. The library completes a change
 * that has begun and resolves with its result.
 */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined
}

/**
 * `expectedVersion` such as `site.version`: a resource in any other version is not changed
 * (`precondition_failed`).
 */
export interface ChangeCallOptions extends CallOptions {
  readonly expectedVersion?: number | undefined
}

/** The options per kind of call: reading, POST, and PUT or DELETE. An implementation may add its own. */
export interface OperationOptions {
  readonly read: CallOptions
  readonly create: CallOptions
  readonly change: ChangeCallOptions
}

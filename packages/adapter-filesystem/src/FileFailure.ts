/** Conversion of file system errors to `StorageError`. */
import { StorageError } from "@solar-sites/core"
import { Duration, Effect } from "effect"

// A disk answers within milliseconds or hangs.
const timeout = Duration.seconds(5)

const fullCodes = new Set(["ENOSPC", "EDQUOT"])

/** Code of a failed system call, such as `ENOENT`. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined

export const storageError = (operation: string, cause: unknown): StorageError =>
  new StorageError({ operation, reason: fullCodes.has(codeOf(cause) ?? "") ? "full" : "unavailable", cause })

/** Runs file operations without a timeout, for steps with an outcome that must be known. */
export const attempt = <A>(
  operation: string,
  run: (signal: AbortSignal) => Promise<A>
): Effect.Effect<A, StorageError> => Effect.tryPromise({ try: run, catch: (cause) => storageError(operation, cause) })

/** Runs file operations of a port method; `unavailable` after 5 s. */
export const attemptBounded = <A>(
  operation: string,
  run: (signal: AbortSignal) => Promise<A>
): Effect.Effect<A, StorageError> =>
  Effect.timeoutOrElse(attempt(operation, run), {
    duration: timeout,
    orElse: () => Effect.fail(storageError(operation, new Error("The file system did not answer in time.")))
  })

/** Ignores that a file is absent; throws other errors. */
export const unlessAbsent = (error: unknown): void => {
  const code = codeOf(error)
  if (code !== "ENOENT" && code !== "ENOTDIR") throw error
}

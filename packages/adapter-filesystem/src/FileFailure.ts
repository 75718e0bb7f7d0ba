/**
 * What the failures of a file system mean, in one place.
 */
import { StorageError } from "@solar-sites/core"
import { Duration, Effect } from "effect"

// A disk answers in milliseconds or, when it hangs, never.
const longest = Duration.seconds(5)

const noRoom = new Set(["ENOSPC", "EDQUOT"])

/** The code of a failed system call, such as `ENOENT`. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined

export const storageError = (operation: string, cause: unknown): StorageError =>
  new StorageError({ operation, reason: noRoom.has(codeOf(cause) ?? "") ? "full" : "unavailable", cause })

/** Runs what works on files. Takes as long as it takes: for steps whose outcome must be known. */
export const attempt = <A>(
  operation: string,
  run: (signal: AbortSignal) => Promise<A>
): Effect.Effect<A, StorageError> => Effect.tryPromise({ try: run, catch: (cause) => storageError(operation, cause) })

/** The same for a port method: a file system that hangs is not available. */
export const attemptBounded = <A>(
  operation: string,
  run: (signal: AbortSignal) => Promise<A>
): Effect.Effect<A, StorageError> =>
  Effect.timeoutOrElse(attempt(operation, run), {
    duration: longest,
    orElse: () => Effect.fail(storageError(operation, new Error("The file system did not answer in time.")))
  })

/** Ignores that there is nothing there (any more). */
export const unlessAbsent = (error: unknown): void => {
  const code = codeOf(error)
  if (code !== "ENOENT" && code !== "ENOTDIR") throw error
}

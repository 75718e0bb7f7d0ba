/**
 * An asynchronous action of a button or form. It never runs twice at once, and
 * its result is not kept.
 */
import { useCallback, useRef, useState } from "react"
import { noticeSessionChange } from "../api/queries.ts"

export interface Action<Args extends ReadonlyArray<unknown>, A> {
  /** Runs the action, unless it is running; the result is undefined then, and after an error. */
  readonly run: (...args: Args) => Promise<A | undefined>
  readonly busy: boolean
  /** Error of the last run; null while none has failed. */
  readonly error: unknown
  readonly reset: () => void
}

export const useAction = <Args extends ReadonlyArray<unknown>, A>(
  act: (...args: Args) => Promise<A>
): Action<Args, A> => {
  // State is updated too late for the second click of a double click.
  const running = useRef(false)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const run = async (...args: Args): Promise<A | undefined> => {
    if (running.current) return undefined
    running.current = true
    setBusy(true)
    setError(null)
    try {
      return await act(...args)
    } catch (failure) {
      noticeSessionChange(failure)
      setError(failure)
      return undefined
    } finally {
      running.current = false
      setBusy(false)
    }
  }
  return { run, busy, error, reset: useCallback(() => setError(null), []) }
}

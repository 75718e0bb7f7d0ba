/**
 * Something that a person starts and that takes a while: it never runs twice at
 * once, however often it is clicked, and what it gives is kept nowhere.
 */
import { useCallback, useRef, useState } from "react"
import { noticeSessionLoss } from "../api/queries.ts"

export interface Action<Args extends ReadonlyArray<unknown>, A> {
  /** Does it, unless it is being done; gives undefined then, and when it fails. */
  readonly run: (...args: Args) => Promise<A | undefined>
  readonly busy: boolean
  /** How the last one failed; null before and after. */
  readonly error: unknown
  readonly reset: () => void
}

export const useAction = <Args extends ReadonlyArray<unknown>, A>(
  act: (...args: Args) => Promise<A>
): Action<Args, A> => {
  // State alone is too late for the second click of a double click.
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
      noticeSessionLoss(failure)
      setError(failure)
      return undefined
    } finally {
      running.current = false
      setBusy(false)
    }
  }
  return { run, busy, error, reset: useCallback(() => setError(null), []) }
}

/**
 * Tells the host of each request. What becomes of that changes no answer: by
 * then what was asked for has been done.
 */
import { Cause, type Context, Effect } from "effect"
import type { AccessLine } from "../Options.ts"

export const tellerOf = (onRequest: ((line: AccessLine) => unknown) | undefined) => {
  if (onRequest === undefined) return undefined
  return (line: AccessLine, context: Context.Context<never>): void => {
    const failed = (cause: unknown) => {
      const told = Effect.logError("onRequest failed; the request was answered all the same", Cause.die(cause))
      Effect.runForkWith(context)(told)
    }
    try {
      const told = onRequest(line)
      if (told instanceof Promise) told.catch(failed)
    } catch (cause) {
      failed(cause)
    }
  }
}

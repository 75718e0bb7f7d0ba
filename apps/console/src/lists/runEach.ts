/**
 * Runs an action for each item, a few at a time. A failure does not stop the others. Where the
 * server limits the rate, the action waits as long as the server demands.
 */
import { SolarSitesProblem } from "@solar-sites/http-node/client"

export interface Failed<Item> {
  readonly item: Item
  readonly error: unknown
}

/** An action on a batch has changed all but a part of it. */
export class PartFailed<Item> extends Error {
  readonly part: Item

  constructor(part: Item, message: string) {
    super(message)
    this.part = part
  }
}

interface Options<Item> {
  /** Items begun after the abort are not tried. */
  readonly signal: AbortSignal
  /** Called when an item is done or has failed. */
  readonly onEnd?: (item: Item) => void
  readonly concurrency?: number | undefined
}

// Below the number of connections that a browser opens to one origin.
const usualConcurrency = 4

const usualPause = 5

/** Seconds until the server accepts requests again; undefined for other errors. */
const pauseOf = (error: unknown): number | undefined =>
  error instanceof SolarSitesProblem && error.code === "rate_limited" ? (error.retryAfter ?? usualPause) : undefined

/** Ends early on an abort. */
const sleep = (seconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, seconds * 1_000)
    signal.addEventListener("abort", () => {
      clearTimeout(timer)
      resolve()
    })
  })

/** Repeats the action until the rate limit lets it through. */
const paced = async (act: () => Promise<unknown>, signal: AbortSignal): Promise<void> => {
  try {
    await act()
  } catch (error) {
    const pause = pauseOf(error)
    if (pause === undefined || signal.aborted) throw error
    await sleep(pause, signal)
    if (signal.aborted) throw error
    await paced(act, signal)
  }
}

/** Resolves with the failures, and whether items were left untried. */
export const runEach = async <Item>(
  items: ReadonlyArray<Item>,
  act: (item: Item) => Promise<unknown>,
  { concurrency = usualConcurrency, onEnd = () => {}, signal }: Options<Item>
): Promise<{ readonly failed: ReadonlyArray<Failed<Item>>; readonly wasStopped: boolean }> => {
  const failed: Array<Failed<Item>> = []
  const waiting = items.values()
  let done = 0
  const work = async () => {
    for (const item of waiting) {
      if (signal.aborted) return
      try {
        await paced(() => act(item), signal)
      } catch (error) {
        failed.push({ item, error })
      }
      done += 1
      onEnd(item)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  return { failed, wasStopped: done < items.length }
}

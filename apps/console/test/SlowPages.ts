/**
 * Debugging options that show tests that compare too early, and races between requests:
 * `CPU_THROTTLING`, `ANSWER_DELAY` in milliseconds, `ANSWER_SEED`.
 */
import type { BrowserContext, Page } from "playwright-core"

const throttling = Number(process.env["CPU_THROTTLING"] ?? 1)
const longestDelay = Number(process.env["ANSWER_DELAY"] ?? 0)
const seed = Number(process.env["ANSWER_SEED"] ?? Date.now() % 1_000_000)

/** True while an option is on: tests and servers may take longer. */
export const isSlow = throttling > 1 || longestDelay > 0

/** Deterministic numbers from 0 to below 1 (mulberry32). */
const numbersOf = (seed: number) => {
  let state = seed
  return (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const nextNumber = numbersOf(seed)

const slowDownPage = async (context: BrowserContext, page: Page): Promise<void> => {
  const session = await context.newCDPSession(page)
  if (throttling > 1) await session.send("Emulation.setCPUThrottlingRate", { rate: throttling })
  if (longestDelay === 0) return
  session.on("Fetch.requestPaused", ({ requestId }) => {
    // Half of the answers come at once.
    const delay = Math.max(0, nextNumber() * 2 - 1) * longestDelay
    setTimeout(() => {
      // The page may have left, or aborted the request.
      session.send("Fetch.continueRequest", { requestId }).catch(() => {})
    }, delay)
  })
  const patterns = (["XHR", "Fetch", "Script"] as const).map((resourceType) => ({
    resourceType,
    requestStage: "Response" as const
  }))
  await session.send("Fetch.enable", { patterns })
}

/** Applies the options to all pages of the context; without them it does nothing. */
export const slowDown = (context: BrowserContext): void => {
  if (!isSlow) return
  if (longestDelay > 0) console.info(`answers are delayed by up to ${longestDelay} ms, ANSWER_SEED=${seed}`)
  // A page can be closed again before the session exists.
  context.on("page", (page) => void slowDownPage(context, page).catch(() => {}))
}

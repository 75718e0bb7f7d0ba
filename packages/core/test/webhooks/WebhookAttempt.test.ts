import { RandomBytes } from "@solar-sites/core"
import { DateTime, Duration, Effect, Option } from "effect"
import { describe, expect, it } from "vitest"
import { nextAttempt } from "../../src/webhooks/WebhookAttempt.ts"

const createdAt = DateTime.makeUnsafe("2026-06-01T09:00:00Z")

/** The delays in seconds before the second attempt and those after it; `byte` decides the variation. */
const delays = (byte: number): ReadonlyArray<number> => {
  const found: Array<number> = []
  let now = createdAt
  while (true) {
    const attempt = nextAttempt(found.length + 1, createdAt, now).pipe(
      Effect.provideService(RandomBytes, (length) => new Uint8Array(length).fill(byte)),
      Effect.runSync,
      Option.getOrUndefined
    )
    if (attempt === undefined) return found
    found.push(Duration.toSeconds(DateTime.distance(now, attempt)))
    now = attempt
  }
}

describe("the schedule of attempts", () => {
  it.each([0, 128, 255])("begins with about ten seconds, grows to six hours and ends after three days (%i)", (byte) => {
    const all = delays(byte)
    const factor = 0.9 + (0.2 * byte) / 255
    expect(all.slice(0, 4).map((delay) => Math.round(delay / factor))).toEqual([10, 30, 90, 270])
    expect(all).toEqual(all.toSorted((a, b) => a - b))
    expect(Math.round((all.at(-1) ?? 0) / factor)).toBe(6 * 3_600)
    const hours = all.reduce((sum, delay) => sum + delay, 0) / 3_600
    expect(hours).toBeGreaterThan(72 - 7)
    expect(hours).toBeLessThanOrEqual(72)
  })
})

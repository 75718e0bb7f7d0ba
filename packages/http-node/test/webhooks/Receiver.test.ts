import { expect, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { judgedReceiver } from "../../src/webhooks/Receiver.ts"

it.effect("a receiver is refused when its name is not resolved within five seconds", () =>
  Effect.gen(function* () {
    let isAborted = false
    const hanging = (_: string, signal: AbortSignal) => {
      signal.addEventListener("abort", () => (isAborted = true))
      return new Promise<never>(() => {})
    }
    const judged = yield* Effect.forkChild(Effect.flip(judgedReceiver("https://receiver.test", false, hanging)))
    yield* TestClock.adjust("5 seconds")
    expect(yield* Fiber.join(judged)).toMatchObject({ _tag: "WebhookSendFailed", reason: "connection", status: null })
    expect(isAborted).toBe(true)
  })
)

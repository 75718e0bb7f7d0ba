/**
 * Receivers of webhooks in memory.
 */
import { WebhookAddressNotAllowed, type WebhookRequest, WebhookSender, WebhookSendFailed } from "@solar-sites/core"
import { DateTime, Effect, Latch } from "effect"

/** A request to a webhook. `body` is the text that the signature in `headers` covers. */
export interface HarnessDelivery extends WebhookRequest {
  readonly at: Date
}

/** Deliveries go to memory, not over the network. Addresses must be https; no name is resolved. */
export interface HarnessWebhooks {
  /** All requests so far, the oldest first. Advance the clock by two seconds after a change. */
  readonly deliveries: ReadonlyArray<HarnessDelivery>

  /** Decides the answers from now on: a status, or no answer (`timeout`). Default: 204. */
  readonly answer: (answerOf: (delivery: HarnessDelivery) => number | "timeout") => void
}

/** `firstWebhook` completes when the first address of a webhook is checked. */
interface MadeWebhooks {
  readonly sender: WebhookSender["Service"]
  readonly firstWebhook: Effect.Effect<void>
  readonly webhooks: HarnessWebhooks
}

/** A sender that records its requests, and the control of it. */
export const makeHarnessWebhooks = (): MadeWebhooks => {
  const first = Latch.makeUnsafe()
  const deliveries: Array<HarnessDelivery> = []
  let answerOf: Parameters<HarnessWebhooks["answer"]>[0] = () => 204

  const sender = WebhookSender.of({
    check: (url) =>
      URL.parse(url)?.protocol === "https:"
        ? Effect.asVoid(first.open)
        : Effect.fail(new WebhookAddressNotAllowed({ reason: "must be an https address" })),
    send: Effect.fnUntraced(function* (request: WebhookRequest) {
      const delivery = { ...request, at: DateTime.toDate(yield* DateTime.now) }
      deliveries.push(delivery)
      const answer = answerOf(delivery)
      if (answer !== "timeout") return { status: answer }
      const detail = "The receiver did not answer in time."
      return yield* new WebhookSendFailed({ reason: "timeout", detail, status: null })
    })
  })

  return {
    sender,
    firstWebhook: Effect.asVoid(first.await),
    webhooks: {
      deliveries,
      answer: (given) => {
        answerOf = given
      }
    }
  }
}

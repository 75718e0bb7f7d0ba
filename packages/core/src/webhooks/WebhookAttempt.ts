/**
 * One attempt of a delivery, and the schedule of attempts.
 */
import { DateTime, Duration, Effect, Option } from "effect"
import { RandomBytes } from "../ids/RandomBytes.ts"
import { instantText } from "../input/InstantText.ts"
import { redacted } from "../input/Redaction.ts"
import type { Webhook } from "./Webhook.ts"
import { shownUrl } from "./Webhook.ts"
import { webhookTestType } from "./WebhookDelivery.ts"
import { WebhookAddressNotAllowed, WebhookSendFailed } from "./WebhookErrors.ts"
import { webhookRetries } from "./WebhookPolicy.ts"
import { WebhookSender } from "./WebhookSender.ts"
import { signedHeaders, type WebhookSecret } from "./WebhookSigning.ts"

/**
 * The instant of the next attempt after `attempt` attempts; none when the delivery has failed. The
 * delay varies by a tenth, so that deliveries of one outage do not stay together.
 */
export const nextAttempt = (
  attempt: number,
  createdAt: DateTime.Utc,
  now: DateTime.Utc
): Effect.Effect<Option.Option<DateTime.Utc>> =>
  Effect.map(RandomBytes, (randomBytes) => {
    const { days, factor, firstDelaySeconds, longestDelayHours } = webhookRetries
    const delay = Math.min(firstDelaySeconds * factor ** (attempt - 1), longestDelayHours * 3_600)
    const variation = 0.9 + (0.2 * (randomBytes(1)[0] ?? 0)) / 255
    const next = DateTime.addDuration(now, Duration.seconds(delay * variation))
    return DateTime.isGreaterThan(next, DateTime.add(createdAt, { days })) ? Option.none() : Option.some(next)
  })

/** Event of a test, in the form of an `Event`. It is in no feed and has no sequence. */
export const testEvent = (id: string, at: DateTime.Utc, { id: webhookId, url }: Pick<Webhook, "id" | "url">) => ({
  id,
  sequence: 0,
  type: webhookTestType,
  occurredAt: at,
  actor: { userId: null, apiKeyId: null, keyPrefix: null },
  subject: { type: "webhook", id: webhookId, name: shownUrl(url) },
  siteId: null,
  changes: {},
  requestId: null
})

/** The members of an event that a message repeats. */
interface Message {
  readonly id: string
  readonly type: string
  readonly occurredAt: DateTime.Utc
}

/** The result of an attempt. `error` is null after a success. */
interface Outcome {
  readonly responseStatus: number | null
  readonly error: string | null
}

/** Signs the event and sends it once. Any answer from 200 to 299 is a success. */
export const sendEvent = Effect.fnUntraced(function* (
  sender: WebhookSender["Service"],
  { secrets, url }: { readonly url: string; readonly secrets: ReadonlyArray<WebhookSecret> },
  event: Message
): Effect.fn.Return<Outcome> {
  const timestamp = instantText(event.occurredAt.epochMilliseconds)
  const body = JSON.stringify({ type: event.type, timestamp, data: event })
  const signature = signedHeaders({ id: event.id, at: yield* DateTime.now, body, secrets })
  const headers = { "content-type": "application/json", ...signature }
  return yield* Effect.match(sender.send({ url, headers, body }), {
    onSuccess: ({ status }) => ({
      responseStatus: status,
      error: status >= 200 && status < 300 ? null : `The receiver answered ${status}.`
    }),
    onFailure: ({ detail, status }) => ({ responseStatus: status, error: redacted(detail) })
  })
})

const absent = "cannot be used: this application sends no webhooks; add a webhook sender"

/** The sender of the application. Without one, every address and every attempt is refused. */
export const webhookSender: Effect.Effect<WebhookSender["Service"]> = Effect.map(
  Effect.serviceOption(WebhookSender),
  Option.getOrElse(() =>
    WebhookSender.of({
      check: () => Effect.fail(new WebhookAddressNotAllowed({ reason: absent })),
      send: () =>
        Effect.fail(
          new WebhookSendFailed({ reason: "address_not_allowed", detail: `The address ${absent}.`, status: null })
        )
    })
  )
)

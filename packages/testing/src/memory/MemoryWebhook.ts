/**
 * Webhooks of the in-memory adapters.
 */
import {
  changesBetween,
  Webhook,
  WebhookDelivery,
  type WebhookDeliveryId,
  type WebhookId,
  type WebhookSigning
} from "@solar-sites/core"
import { DateTime } from "effect"

/** A secret. It signs until `until`; without end when that is null. */
interface MemorySecret {
  readonly secret: WebhookSigning.WebhookSecret
  readonly until: DateTime.Utc | null
}

/** A delivery with internal fields of the queue. `sequence` is null for a test. */
export interface MemoryDelivery {
  readonly delivery: WebhookDelivery
  readonly sequence: number | null
  readonly createdAt: DateTime.Utc
  readonly claimedUntil: DateTime.Utc | null
}

/**
 * A webhook with internal fields of the queue. `dispatched` is the sequence of the last event it
 * has deliveries of, `failingSince` the first failed attempt after the last success.
 */
export interface MemoryWebhook {
  readonly webhook: Webhook
  /** The newest first. */
  readonly secrets: ReadonlyArray<MemorySecret>
  readonly dispatched: number
  readonly failingSince: DateTime.Utc | null
  readonly claimedAt: DateTime.Utc | null
  readonly deliveries: Map<WebhookDeliveryId, MemoryDelivery>
}

export type MemoryWebhooks = Map<WebhookId, MemoryWebhook>

export const frozenWebhook = (webhook: Pick<Webhook, keyof Webhook>): Webhook =>
  Object.freeze(new Webhook(webhook, { disableChecks: true }))

export const frozenDelivery = (delivery: Pick<WebhookDelivery, keyof WebhookDelivery>): WebhookDelivery =>
  Object.freeze(new WebhookDelivery(delivery, { disableChecks: true }))

/** The webhook with its last delivery. */
export const withLastDelivery = ({ deliveries, webhook }: MemoryWebhook): Webhook => {
  const all = [...deliveries.values()].map(({ delivery }) => delivery)
  const last = all.sort((a, b) => DateTime.toEpochMillis(a.at) - DateTime.toEpochMillis(b.at)).at(-1)
  return frozenWebhook({ ...webhook, lastDelivery: last ?? null })
}

/** The secrets that sign at an instant. */
export const signingSecrets = (secrets: ReadonlyArray<MemorySecret>, at: DateTime.Utc) =>
  secrets.filter(({ until }) => until === null || DateTime.isGreaterThan(until, at)).map(({ secret }) => secret)

const shownUrl = (url: string): string => url.replace(/[?#].*$/s, "")

/** An event about a change of a webhook; null is the state before creation or after deletion. */
export const webhookEvent = (
  type: "webhook.created" | "webhook.updated" | "webhook.deleted" | "webhook.disabled",
  before: Webhook | null,
  after: Webhook | null
) => {
  const webhook = after ?? before
  if (webhook === null) throw new TypeError("no state of the webhook")
  const shown = (state: Webhook | null) => state && { ...state, url: shownUrl(state.url) }
  const changes = changesBetween<Pick<Webhook, "url" | "events" | "description" | "enabled">>(
    ["url", "events", "description", "enabled"],
    shown(before),
    shown(after)
  )
  return { type, subjectId: webhook.id, subjectName: shownUrl(webhook.url), siteId: null, changes }
}

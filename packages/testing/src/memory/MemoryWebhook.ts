/**
 * Webhooks of the in-memory database, as records, and their deliveries.
 */
import { WebhookDelivery, WebhookId, WebhookRecord } from "@solar-sites/core"
import { DateTime } from "effect"
import type { MemoryDeliveries, Owned } from "./MemoryDatabase.ts"
import { kept, type MemoryKind } from "./MemoryKind.ts"

type Webhooks = Pick<Owned, "webhooks" | "deliveries">

/** A webhook as it is stored: its last delivery is computed on reading. */
export const frozenWebhook = (webhook: Pick<WebhookRecord, keyof WebhookRecord>): WebhookRecord =>
  Object.freeze(new WebhookRecord({ ...webhook, lastDelivery: null }, { disableChecks: true }))

export const frozenDelivery = (delivery: Pick<WebhookDelivery, keyof WebhookDelivery>): WebhookDelivery =>
  Object.freeze(new WebhookDelivery(delivery, { disableChecks: true }))

/** The deliveries of a webhook, to read and to change; none when it does not exist. */
export const deliveriesOf = ({ deliveries, webhooks }: Webhooks, webhookId: WebhookId): MemoryDeliveries => {
  const all: MemoryDeliveries = deliveries.get(webhookId) ?? new Map()
  if (webhooks.has(webhookId)) deliveries.set(webhookId, all)
  return all
}

/** The webhook with its last delivery. */
export const withLastDelivery = (owned: Webhooks, webhook: WebhookRecord): WebhookRecord => {
  const all = [...deliveriesOf(owned, webhook.id).values()].map(({ delivery }) => delivery)
  const last = all.sort((a, b) => DateTime.toEpochMillis(a.at) - DateTime.toEpochMillis(b.at)).at(-1)
  return new WebhookRecord({ ...webhook, lastDelivery: last ?? null }, { disableChecks: true })
}

/** Deliveries go with their webhook. */
export const webhookRecordsOf = (owner: Webhooks): MemoryKind => {
  const { remove, ...webhooks } = kept(owner.webhooks, frozenWebhook)
  return {
    ...webhooks,
    // A record of this kind is a webhook.
    read: (record) => withLastDelivery(owner, record as WebhookRecord),
    remove: (id) => {
      remove(id)
      owner.deliveries.delete(WebhookId.make(id))
    }
  }
}

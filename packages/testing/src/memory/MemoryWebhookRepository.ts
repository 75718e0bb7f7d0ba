/**
 * `WebhookRepository` in memory.
 *
 * @since 0.1.0
 */
import { DeliveryNotFound, pageOf, WebhookNotFound, WebhookRepository, webhookRecords } from "@solar-sites/core"
import { DateTime, Effect, Layer } from "effect"
import { MemoryDatabase, ownedBy } from "./MemoryDatabase.ts"
import * as MemoryRecords from "./MemoryRecords.ts"
import { deliveriesOf, frozenDelivery, frozenWebhook } from "./MemoryWebhook.ts"

type Service = WebhookRepository["Service"]

/**
 * @category layers
 * @since 0.1.0
 */
export const layer: Layer.Layer<WebhookRepository, never, MemoryDatabase> = Layer.effect(
  WebhookRepository,
  Effect.gen(function* () {
    const database = yield* MemoryDatabase

    const insertDelivery: Service["insertDelivery"] = Effect.fnUntraced(function* (organisationId, webhookId, given) {
      const owned = ownedBy(database, organisationId)
      const stored = owned.webhooks.get(webhookId)
      if (stored === undefined) return yield* new WebhookNotFound({ webhookId })
      const delivery = frozenDelivery(given)
      if (delivery.status === "delivered") {
        owned.webhooks.set(webhookId, frozenWebhook({ ...stored, failingSince: null }))
      }
      const added = { delivery, sequence: null, createdAt: delivery.at, claimedUntil: null }
      deliveriesOf(owned, webhookId).set(delivery.id, added)
      return delivery
    })

    const retry: Service["retry"] = Effect.fnUntraced(function* (organisationId, webhookId, deliveryId, at) {
      const owned = ownedBy(database, organisationId)
      if (!owned.webhooks.has(webhookId)) return yield* new WebhookNotFound({ webhookId })
      const deliveries = deliveriesOf(owned, webhookId)
      const found = deliveries.get(deliveryId)
      if (found === undefined) return yield* new DeliveryNotFound({ deliveryId })
      const { claimedUntil, delivery } = found
      if (claimedUntil !== null && DateTime.isGreaterThan(claimedUntil, at)) return delivery
      const due = frozenDelivery({ ...delivery, status: "pending", nextAttemptAt: at })
      deliveries.set(deliveryId, { ...found, delivery: due })
      return due
    })

    return WebhookRepository.of({
      ...(yield* webhookRecords),
      listDeliveries: (organisationId, webhookId, page) =>
        Effect.sync(() => {
          const deliveries = deliveriesOf(ownedBy(database, organisationId), webhookId)
          return pageOf(
            [...deliveries.values()].map(({ delivery }) => delivery),
            page
          )
        }),
      insertDelivery,
      retry
    })
  })
).pipe(Layer.provide(MemoryRecords.layer))

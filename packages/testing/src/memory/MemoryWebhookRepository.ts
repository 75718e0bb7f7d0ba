/**
 * `WebhookRepository` in memory.
 *
 * @since 0.1.0
 */
import {
  DeliveryNotFound,
  eventOrigins,
  isExpected,
  maximumWebhooks,
  OrganisationNotFound,
  TooManyWebhooks,
  VersionMismatch,
  WebhookNotFound,
  WebhookRepository,
  WebhookSigning
} from "@solar-sites/core"
import { DateTime, Effect, Layer, Option } from "effect"
import { MemoryDatabase, ownedBy, ownerOf, pageOf } from "./MemoryDatabase.ts"
import { recordEvents } from "./MemoryEventLog.ts"
import { frozenDelivery, frozenWebhook, signingSecrets, webhookEvent, withLastDelivery } from "./MemoryWebhook.ts"

type Service = WebhookRepository["Service"]

/**
 * @category layers
 * @since 0.1.0
 */
export const layer: Layer.Layer<WebhookRepository, never, MemoryDatabase> = Layer.effect(
  WebhookRepository,
  Effect.gen(function* () {
    const database = yield* MemoryDatabase
    const originOf = yield* eventOrigins

    const insert: Service["insert"] = Effect.fnUntraced(function* (organisationId, webhook, secret) {
      const origin = yield* originOf(organisationId)
      const owner = ownerOf(database, organisationId)
      if (owner === undefined) return yield* new OrganisationNotFound({ organisationId })
      const there = owner.webhooks.get(webhook.id)
      const newest = there?.secrets[0]
      if (there !== undefined && newest !== undefined) {
        return { webhook: withLastDelivery(there), secret: newest.secret }
      }
      if (owner.webhooks.size >= maximumWebhooks) return yield* new TooManyWebhooks({ maximum: maximumWebhooks })
      const stored = frozenWebhook({ ...webhook, lastDelivery: null })
      owner.webhooks.set(webhook.id, {
        webhook: stored,
        secrets: [{ secret, until: null }],
        dispatched: owner.events.last,
        failingSince: null,
        claimedAt: null,
        deliveries: new Map()
      })
      recordEvents(owner, origin, [webhookEvent("webhook.created", null, stored)])
      return { webhook: stored, secret }
    })

    const update: Service["update"] = Effect.fnUntraced(function* (organisationId, webhookId, changes, options) {
      const origin = yield* originOf(organisationId)
      const owned = ownedBy(database, organisationId)
      const stored = owned.webhooks.get(webhookId)
      if (stored === undefined) return yield* new WebhookNotFound({ webhookId })
      const { webhook } = stored
      if (!isExpected(options.expectedVersions, webhook.version)) {
        return yield* new VersionMismatch({ actual: webhook.version })
      }
      const { description, enabled, events, url } = { ...webhook, ...changes }
      const settable = [url, events, description, enabled]
      if (
        JSON.stringify(settable) === JSON.stringify([webhook.url, webhook.events, webhook.description, webhook.enabled])
      ) {
        return withLastDelivery(stored)
      }
      const members = { url, events, description, enabled, updatedAt: options.at, version: webhook.version + 1 }
      const changed = frozenWebhook({ ...webhook, ...members })
      const isEnabledAgain = enabled && !webhook.enabled
      const updated = {
        ...stored,
        webhook: changed,
        dispatched: isEnabledAgain ? owned.events.last : stored.dispatched,
        failingSince: isEnabledAgain || url !== webhook.url ? null : stored.failingSince
      }
      owned.webhooks.set(webhookId, updated)
      recordEvents(owned, origin, [webhookEvent("webhook.updated", webhook, changed)])
      return withLastDelivery(updated)
    })

    const remove: Service["delete"] = Effect.fnUntraced(function* (organisationId, webhookId, { expectedVersions }) {
      const origin = yield* originOf(organisationId)
      const owned = ownedBy(database, organisationId)
      const stored = owned.webhooks.get(webhookId)
      if (stored === undefined) return yield* new WebhookNotFound({ webhookId })
      if (!isExpected(expectedVersions, stored.webhook.version)) {
        return yield* new VersionMismatch({ actual: stored.webhook.version })
      }
      owned.webhooks.delete(webhookId)
      recordEvents(owned, origin, [webhookEvent("webhook.deleted", stored.webhook, null)])
    })

    const rotateSecret: Service["rotateSecret"] = Effect.fnUntraced(function* (organisationId, webhookId, rotation) {
      const origin = yield* originOf(organisationId)
      const owned = ownedBy(database, organisationId)
      const stored = owned.webhooks.get(webhookId)
      if (stored === undefined) return yield* new WebhookNotFound({ webhookId })
      const { at, previousUntil, secret } = rotation
      const previous = stored.secrets.map((one, index) => (index === 0 ? { ...one, until: previousUntil } : one))
      const { webhook } = stored
      const changed = frozenWebhook({ ...webhook, updatedAt: at, version: webhook.version + 1 })
      const secrets = [{ secret, until: null }, ...previous].slice(0, WebhookSigning.maximumSecrets)
      const rotated = { ...stored, webhook: changed, secrets }
      owned.webhooks.set(webhookId, rotated)
      recordEvents(owned, origin, [webhookEvent("webhook.updated", webhook, changed)])
      return { webhook: withLastDelivery(rotated), secret }
    })

    const insertDelivery: Service["insertDelivery"] = Effect.fnUntraced(function* (organisationId, webhookId, given) {
      const stored = ownedBy(database, organisationId).webhooks.get(webhookId)
      if (stored === undefined) return yield* new WebhookNotFound({ webhookId })
      const delivery = frozenDelivery(given)
      if (delivery.status === "delivered") {
        ownedBy(database, organisationId).webhooks.set(webhookId, { ...stored, failingSince: null })
      }
      stored.deliveries.set(delivery.id, { delivery, sequence: null, createdAt: delivery.at, claimedUntil: null })
      return delivery
    })

    const retry: Service["retry"] = Effect.fnUntraced(function* (organisationId, webhookId, deliveryId, at) {
      const deliveries = ownedBy(database, organisationId).webhooks.get(webhookId)?.deliveries
      if (deliveries === undefined) return yield* new WebhookNotFound({ webhookId })
      const found = deliveries.get(deliveryId)
      if (found === undefined) return yield* new DeliveryNotFound({ deliveryId })
      const { claimedUntil, delivery } = found
      if (claimedUntil !== null && DateTime.isGreaterThan(claimedUntil, at)) return delivery
      const due = frozenDelivery({ ...delivery, status: "pending", nextAttemptAt: at })
      deliveries.set(deliveryId, { ...found, delivery: due })
      return due
    })

    return WebhookRepository.of({
      insert,
      findById: (organisationId, webhookId) =>
        Effect.sync(() =>
          Option.map(
            Option.fromUndefinedOr(ownedBy(database, organisationId).webhooks.get(webhookId)),
            withLastDelivery
          )
        ),
      list: (organisationId, page) =>
        Effect.sync(() => pageOf([...ownedBy(database, organisationId).webhooks.values()].map(withLastDelivery), page)),
      update,
      delete: remove,
      rotateSecret,
      findSigning: (organisationId, webhookId, at) =>
        Effect.sync(() => {
          const found = Option.fromUndefinedOr(ownedBy(database, organisationId).webhooks.get(webhookId))
          return Option.map(found, (stored) => ({
            webhook: withLastDelivery(stored),
            secrets: signingSecrets(stored.secrets, at)
          }))
        }),
      listDeliveries: (organisationId, webhookId, page) =>
        Effect.sync(() => {
          const deliveries = ownedBy(database, organisationId).webhooks.get(webhookId)?.deliveries ?? new Map()
          return pageOf(
            [...deliveries.values()].map(({ delivery }) => delivery),
            page
          )
        }),
      insertDelivery,
      retry
    })
  })
)

/**
 * `WebhookQueue` in memory.
 *
 * @since 0.1.0
 */
import {
  type DueWebhook,
  type Event,
  eventTypesIn,
  IdGenerator,
  keptWebhookDeliveries,
  signingSecrets,
  WebhookDeliveryId,
  WebhookQueue,
  type WebhookRecord,
  webhookDisabling
} from "@solar-sites/core"
import { DateTime, Effect, Layer, Option } from "effect"
import { MemoryDatabase, type MemoryDeliveries, type MemoryDelivery, ownedBy } from "./MemoryDatabase.ts"
import * as MemoryRecords from "./MemoryRecords.ts"
import { deliveriesOf, frozenDelivery, frozenWebhook } from "./MemoryWebhook.ts"

type Service = WebhookQueue["Service"]

const byId = (a: { readonly id: string }, b: { readonly id: string }): number => (a.id < b.id ? -1 : 1)

const pendingOf = (deliveries: MemoryDeliveries): ReadonlyArray<MemoryDelivery> =>
  [...deliveries.values()].filter(({ delivery }) => delivery.status === "pending")

const dueAt = ({ delivery }: MemoryDelivery): number => delivery.nextAttemptAt?.epochMilliseconds ?? 0

/** Due deliveries, the longest due first. */
const dueOf = (deliveries: MemoryDeliveries, now: DateTime.Utc): ReadonlyArray<MemoryDelivery> =>
  pendingOf(deliveries)
    .filter((one) => dueAt(one) <= now.epochMilliseconds)
    .sort((a, b) => dueAt(a) - dueAt(b) || byId(a.delivery, b.delivery))

const isSentTo = ({ events, id }: WebhookRecord, { subject, type }: Event): boolean =>
  eventTypesIn(events).includes(type) && !(type === "webhook.created" && subject.id === id)

/**
 * @category layers
 * @since 0.1.0
 */
export const layer: Layer.Layer<WebhookQueue, never, MemoryDatabase> = Layer.effect(
  WebhookQueue,
  Effect.gen(function* () {
    const database = yield* MemoryDatabase
    const nextId = yield* IdGenerator

    const dispatch: Service["dispatch"] = Effect.fnUntraced(function* (organisationId, { at, limit }) {
      const firstId = yield* nextId
      const owned = ownedBy(database, organisationId)
      const { events, webhooks } = owned
      let [moved, added] = [0, 0]
      for (const [webhookId, stored] of webhooks) {
        const deliveries = deliveriesOf(owned, webhookId)
        const room = Math.min(limit, keptWebhookDeliveries.pending - pendingOf(deliveries).length)
        const read = events.kept
          .filter(({ sequence }) => sequence > stored.dispatchedSequence)
          .slice(0, Math.max(room, 0))
        const last = read.at(-1)
        if (!stored.enabled || last === undefined) continue
        for (const event of read.filter((event) => isSentTo(stored, event))) {
          const delivery = frozenDelivery({
            id: WebhookDeliveryId.make(firstId.slice(0, -8) + (++added).toString(16).padStart(8, "0")),
            eventId: event.id,
            type: event.type,
            attempt: 0,
            status: "pending",
            responseStatus: null,
            error: null,
            at,
            nextAttemptAt: at
          })
          deliveries.set(delivery.id, { delivery, sequence: event.sequence, createdAt: at, claimedUntil: null })
        }
        webhooks.set(webhookId, frozenWebhook({ ...stored, dispatchedSequence: last.sequence }))
        moved += 1
      }
      return moved
    })

    const claim: Service["claim"] = (organisationId, webhookId, { claimedUntil, limit, now }) =>
      Effect.sync(() => {
        const owned = ownedBy(database, organisationId)
        const { events, webhooks } = owned
        const stored = webhooks.get(webhookId)
        if (stored === undefined) return Option.none()
        webhooks.set(webhookId, frozenWebhook({ ...stored, claimedAt: now }))
        const deliveries = deliveriesOf(owned, webhookId)
        const { enabled, failingSince, secrets, url } = stored
        if (!enabled) {
          for (const one of dueOf(deliveries, now)) {
            const { delivery } = one
            const ended = { status: "failed", error: "The webhook is disabled.", nextAttemptAt: null } as const
            deliveries.set(delivery.id, {
              ...one,
              delivery: frozenDelivery({ ...delivery, ...ended }),
              claimedUntil: null
            })
          }
          return Option.none()
        }
        const claimed = dueOf(deliveries, now).slice(0, failingSince === null ? limit : 1)
        if (claimed.length === 0) return Option.none()
        return Option.some({
          url,
          secrets: signingSecrets(secrets, now),
          deliveries: claimed.map((one) => {
            const delivery = frozenDelivery({ ...one.delivery, nextAttemptAt: claimedUntil })
            deliveries.set(delivery.id, { ...one, delivery, claimedUntil })
            const event = events.kept.find(({ sequence }) => sequence === one.sequence) ?? null
            return { delivery, event, createdAt: one.createdAt }
          })
        })
      })

    const settle: Service["settle"] = (organisationId, webhookId, deliveryId, result) =>
      Effect.sync(() => {
        const owned = ownedBy(database, organisationId)
        const stored = owned.webhooks.get(webhookId)
        const deliveries = deliveriesOf(owned, webhookId)
        const found = deliveries.get(deliveryId)
        const { at, claimedUntil, error, nextAttemptAt, responseStatus, status } = result
        if (stored === undefined || found?.claimedUntil?.epochMilliseconds !== claimedUntil.epochMilliseconds) return
        const attempt = found.delivery.attempt + 1
        const delivery = frozenDelivery({
          ...found.delivery,
          attempt,
          status,
          responseStatus,
          error,
          at,
          nextAttemptAt
        })
        deliveries.set(deliveryId, { ...found, delivery, claimedUntil: null })
        const failingSince = status === "delivered" ? null : (stored.failingSince ?? at)
        owned.webhooks.set(webhookId, frozenWebhook({ ...stored, failingSince }))
      })

    const all = () =>
      [...database].flatMap(([id, owned]) =>
        [...owned.webhooks.values()].map((webhook) => ({ id, webhook, deliveries: deliveriesOf(owned, webhook.id) }))
      )

    return WebhookQueue.of({
      findUndispatched: (limit) =>
        Effect.sync(() => {
          const behind = [...database].filter(([, { events, webhooks }]) =>
            [...webhooks.values()].some(
              ({ dispatchedSequence, enabled }) => enabled && dispatchedSequence < events.last
            )
          )
          return behind.slice(0, limit).map(([id]) => id)
        }),
      dispatch,
      findDue: ({ limit, now }) =>
        Effect.sync(() => {
          const due = all().filter(({ deliveries }) => dueOf(deliveries, now).length > 0)
          const claimedAt = ({ webhook }: (typeof due)[number]) => webhook.claimedAt?.epochMilliseconds ?? 0
          const inTurn = due.sort((a, b) => claimedAt(a) - claimedAt(b) || byId(a.webhook, b.webhook))
          return inTurn
            .slice(0, limit)
            .map(({ id, webhook }): DueWebhook => ({ organisationId: id, webhookId: webhook.id }))
        }),
      claim,
      settle,
      ...(yield* webhookDisabling),
      oldestPending: Effect.sync(() => {
        const pending = all().flatMap(({ deliveries, webhook }) => (webhook.enabled ? pendingOf(deliveries) : []))
        const created = pending.map(({ createdAt }) => createdAt)
        return created.length === 0 ? Option.none() : Option.some(created.reduce((a, b) => DateTime.min(a, b)))
      }),
      findOrganisations: ({ after, limit }) =>
        Effect.sync(() => {
          const owners = [...database].flatMap(([id, { webhooks }]) => (webhooks.size === 0 ? [] : [{ id }]))
          return owners
            .filter(({ id }) => after === null || id > after)
            .sort(byId)
            .slice(0, limit)
            .map(({ id }) => id)
        }),
      purge: (organisationId, { before, keep, limit }) =>
        Effect.sync(() => {
          const old = [...ownedBy(database, organisationId).deliveries.values()].flatMap((deliveries) => {
            const ended = [...deliveries.values()].filter(({ delivery }) => delivery.status !== "pending")
            const latest = ended.sort((a, b) => b.delivery.at.epochMilliseconds - a.delivery.at.epochMilliseconds)
            return latest
              .filter(({ delivery }, index) => index >= keep || DateTime.isLessThan(delivery.at, before))
              .map(
                ({ delivery }) =>
                  () =>
                    deliveries.delete(delivery.id)
              )
          })
          for (const remove of old.slice(0, limit)) remove()
          return Math.min(old.length, limit)
        })
    })
  })
).pipe(Layer.provide(MemoryRecords.layer))

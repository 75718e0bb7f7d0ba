/**
 * `WebhookQueue` in memory.
 *
 * @since 0.1.0
 */
import {
  type DueWebhook,
  type Event,
  eventOrigins,
  eventTypesIn,
  IdGenerator,
  keptWebhookDeliveries,
  WebhookDeliveryId,
  WebhookQueue
} from "@solar-sites/core"
import { DateTime, Effect, Layer, Option } from "effect"
import { byId, MemoryDatabase, ownedBy } from "./MemoryDatabase.ts"
import { recordEvents } from "./MemoryEventLog.ts"
import {
  frozenDelivery,
  frozenWebhook,
  type MemoryDelivery,
  type MemoryWebhook,
  signingSecrets,
  webhookEvent
} from "./MemoryWebhook.ts"

type Service = WebhookQueue["Service"]

const pendingOf = ({ deliveries }: MemoryWebhook): ReadonlyArray<MemoryDelivery> =>
  [...deliveries.values()].filter(({ delivery }) => delivery.status === "pending")

const dueAt = ({ delivery }: MemoryDelivery): number => delivery.nextAttemptAt?.epochMilliseconds ?? 0

/** Due deliveries, the longest due first. */
const dueOf = (stored: MemoryWebhook, now: DateTime.Utc): ReadonlyArray<MemoryDelivery> =>
  pendingOf(stored)
    .filter((one) => dueAt(one) <= now.epochMilliseconds)
    .sort((a, b) => dueAt(a) - dueAt(b) || byId(a.delivery, b.delivery))

const isSentTo = ({ webhook }: MemoryWebhook, { subject, type }: Event): boolean =>
  eventTypesIn(webhook.events).includes(type) && !(type === "webhook.created" && subject.id === webhook.id)

/**
 * @category layers
 * @since 0.1.0
 */
export const layer: Layer.Layer<WebhookQueue, never, MemoryDatabase> = Layer.effect(
  WebhookQueue,
  Effect.gen(function* () {
    const database = yield* MemoryDatabase
    const originOf = yield* eventOrigins
    const nextId = yield* IdGenerator

    const dispatch: Service["dispatch"] = Effect.fnUntraced(function* (organisationId, { at, limit }) {
      const firstId = yield* nextId
      const { events, webhooks } = ownedBy(database, organisationId)
      let [moved, added] = [0, 0]
      for (const [webhookId, stored] of webhooks) {
        const room = Math.min(limit, keptWebhookDeliveries.pending - pendingOf(stored).length)
        const read = events.kept.filter(({ sequence }) => sequence > stored.dispatched).slice(0, Math.max(room, 0))
        const last = read.at(-1)
        if (!stored.webhook.enabled || last === undefined) continue
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
          stored.deliveries.set(delivery.id, { delivery, sequence: event.sequence, createdAt: at, claimedUntil: null })
        }
        webhooks.set(webhookId, { ...stored, dispatched: last.sequence })
        moved += 1
      }
      return moved
    })

    const claim: Service["claim"] = (organisationId, webhookId, { claimedUntil, limit, now }) =>
      Effect.sync(() => {
        const { events, webhooks } = ownedBy(database, organisationId)
        const stored = webhooks.get(webhookId)
        if (stored === undefined) return Option.none()
        webhooks.set(webhookId, { ...stored, claimedAt: now })
        const { deliveries, failingSince, secrets, webhook } = stored
        if (!webhook.enabled) {
          for (const one of dueOf(stored, now)) {
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
        const claimed = dueOf(stored, now).slice(0, failingSince === null ? limit : 1)
        if (claimed.length === 0) return Option.none()
        return Option.some({
          url: webhook.url,
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
        const { webhooks } = ownedBy(database, organisationId)
        const stored = webhooks.get(webhookId)
        const found = stored?.deliveries.get(deliveryId)
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
        stored.deliveries.set(deliveryId, { ...found, delivery, claimedUntil: null })
        const failingSince = status === "delivered" ? null : (stored.failingSince ?? at)
        webhooks.set(webhookId, { ...stored, failingSince })
      })

    const disableFailing: Service["disableFailing"] = Effect.fnUntraced(function* (
      organisationId,
      { at, failingSince }
    ) {
      const origin = yield* originOf(organisationId)
      const owned = ownedBy(database, organisationId)
      const failing = [...owned.webhooks.values()].filter(
        (one) =>
          one.webhook.enabled &&
          one.failingSince !== null &&
          DateTime.isLessThanOrEqualTo(one.failingSince, failingSince)
      )
      const changes = failing
        .map(({ webhook }) => webhook)
        .sort(byId)
        .map((before) => ({
          before,
          after: frozenWebhook({ ...before, enabled: false, updatedAt: at, version: before.version + 1 })
        }))
      for (const stored of failing) {
        const after = changes.find(({ before }) => before === stored.webhook)?.after ?? stored.webhook
        owned.webhooks.set(stored.webhook.id, { ...stored, webhook: after })
      }
      const events = changes.map(({ after, before }) => webhookEvent("webhook.disabled", before, after))
      if (events.length > 0) recordEvents(owned, origin, events)
      return changes.map(({ after }) => after.id)
    })

    const all = () =>
      [...database].flatMap(([id, { webhooks }]) => [...webhooks.values()].map((stored) => ({ id, stored })))

    return WebhookQueue.of({
      findUndispatched: (limit) =>
        Effect.sync(() => {
          const behind = [...database].filter(([, { events, webhooks }]) =>
            [...webhooks.values()].some(({ dispatched, webhook }) => webhook.enabled && dispatched < events.last)
          )
          return behind.slice(0, limit).map(([id]) => id)
        }),
      dispatch,
      findDue: ({ limit, now }) =>
        Effect.sync(() => {
          const due = all().filter(({ stored }) => dueOf(stored, now).length > 0)
          const claimedAt = ({ stored }: (typeof due)[number]) => stored.claimedAt?.epochMilliseconds ?? 0
          const inTurn = due.sort((a, b) => claimedAt(a) - claimedAt(b) || byId(a.stored.webhook, b.stored.webhook))
          return inTurn
            .slice(0, limit)
            .map(({ id, stored }): DueWebhook => ({ organisationId: id, webhookId: stored.webhook.id }))
        }),
      claim,
      settle,
      disableFailing,
      oldestPending: Effect.sync(() => {
        const pending = all().flatMap(({ stored }) => (stored.webhook.enabled ? pendingOf(stored) : []))
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
          const old = [...ownedBy(database, organisationId).webhooks.values()].flatMap(({ deliveries }) => {
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
)

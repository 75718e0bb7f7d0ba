/** `WebhookQueue` in memory. */
import {
  type DueWebhook,
  type WebhookDeliveryRecord,
  WebhookQueue,
  webhookDelivering,
  webhookDeliveryKind,
  webhookKind
} from "@solar-sites/core"
import { DateTime, Effect, Layer, Option } from "effect"
import { MemoryDatabase, type MemoryOrganisation, recordsOf } from "./MemoryDatabase.ts"
import * as MemoryEventRepository from "./MemoryEventRepository.ts"
import * as MemoryRecords from "./MemoryRecords.ts"

/** The pending deliveries of each webhook. */
const pendingIn = (owner: MemoryOrganisation) => {
  const pending = [...recordsOf(owner, webhookDeliveryKind).values()].filter(({ status }) => status === "pending")
  return Map.groupBy(pending, ({ webhookId }) => webhookId)
}

export const layer: Layer.Layer<WebhookQueue, never, MemoryDatabase> = Layer.effect(
  WebhookQueue,
  Effect.gen(function* () {
    const database = yield* MemoryDatabase

    const withPending = () =>
      [...database].flatMap(([id, owner]) => {
        const pending = pendingIn(owner)
        return [...recordsOf(owner, webhookKind).values()].flatMap((webhook) => {
          const own = pending.get(webhook.id)
          return own === undefined ? [] : [{ id, webhook, pending: own }]
        })
      })

    return WebhookQueue.of({
      ...(yield* webhookDelivering),
      findUndispatched: (limit) =>
        Effect.sync(() => {
          const behind = [...database].filter(([, owner]) =>
            [...recordsOf(owner, webhookKind).values()].some(
              ({ dispatchedSequence, enabled }) => enabled && dispatchedSequence < owner.events.last
            )
          )
          return behind.slice(0, limit).map(([id]) => id)
        }),
      findDue: ({ limit, now }) =>
        Effect.sync(() => {
          const isDue = ({ nextAttemptAt }: WebhookDeliveryRecord) =>
            (nextAttemptAt?.epochMilliseconds ?? 0) <= now.epochMilliseconds
          const due = withPending().filter(({ pending }) => pending.some(isDue))
          const claimedAt = ({ webhook }: (typeof due)[number]) => webhook.claimedAt?.epochMilliseconds ?? 0
          const inTurn = due.sort((a, b) => claimedAt(a) - claimedAt(b) || (a.webhook.id < b.webhook.id ? -1 : 1))
          return inTurn
            .slice(0, limit)
            .map(({ id, webhook }): DueWebhook => ({ organisationId: id, webhookId: webhook.id }))
        }),
      oldestPending: Effect.sync(() => {
        const pending = withPending().flatMap((one) => (one.webhook.enabled ? one.pending : []))
        const created = pending.map(({ createdAt }) => createdAt)
        return created.length === 0 ? Option.none() : Option.some(created.reduce((a, b) => DateTime.min(a, b)))
      }),
      findOrganisations: ({ after, limit }) =>
        Effect.sync(() => {
          const owners = [...database].flatMap(([id, owner]) => (recordsOf(owner, webhookKind).size === 0 ? [] : [id]))
          const following = owners.filter((id) => after === null || id > after)
          return following.sort().slice(0, limit)
        })
    })
  })
).pipe(Layer.provide(Layer.merge(MemoryRecords.layer, MemoryEventRepository.layer)))

/**
 * Rules of the queue of deliveries as pure functions: records and a command in, an answer and writes out.
 */
import { DateTime } from "effect"
import type { Event } from "../events/Event.ts"
import { eventTypesIn } from "../events/EventType.ts"
import { byId } from "../lists/ItemPages.ts"
import type { OrganisationId } from "../organisations/Organisation.ts"
import type { Found } from "../records/Found.ts"
import { makeUnchecked } from "../records/MakeUnchecked.ts"
import type { Stored, Write } from "../records/RecordKind.ts"
import type { WebhookId } from "./Webhook.ts"
import { WebhookDeliveryId } from "./WebhookDelivery.ts"
import { WebhookDeliveryRecord, webhookDeliveryKind } from "./WebhookDeliveryKind.ts"
import { signingSecrets, WebhookRecord, webhookKind } from "./WebhookKind.ts"
import { keptWebhookDeliveries } from "./WebhookPolicy.ts"
import type { AttemptResult, WebhookQueue } from "./WebhookQueue.ts"

type Service = WebhookQueue["Service"]
type Deliveries = ReadonlyArray<Stored<WebhookDeliveryRecord>>

const webhookWrite = (before: Stored<WebhookRecord>, members: Partial<WebhookRecord>): Write => {
  const after = makeUnchecked(WebhookRecord, { ...before.record, ...members })
  return { kind: webhookKind, id: after.id, before, after }
}

const deliveryWrite = (before: Stored<WebhookDeliveryRecord>, members: Partial<WebhookDeliveryRecord>) => {
  const after = makeUnchecked(WebhookDeliveryRecord, { ...before.record, ...members })
  return { kind: webhookDeliveryKind, id: after.id, before, after }
}

const pendingOf = (deliveries: Deliveries): Deliveries => deliveries.filter(({ record }) => record.status === "pending")

const isSentTo = ({ events, id }: WebhookRecord, { subject, type }: Event): boolean =>
  eventTypesIn(events).includes(type) && !(type === "webhook.created" && subject.id === id)

/** Events after the position of a webhook, in order. */
export interface EventsToSend {
  readonly webhookId: WebhookId
  readonly after: number
  readonly events: ReadonlyArray<Event>
}

/** Makes a delivery of each event that matches a webhook, and moves the positions of the webhooks. */
export const dispatchEvents =
  (
    organisationId: OrganisationId,
    read: ReadonlyArray<EventsToSend>,
    { at, firstId }: { readonly at: DateTime.Utc; readonly firstId: string }
  ) =>
  (found: Found): { readonly answer: number; readonly writes: ReadonlyArray<Write> } => {
    const moves = read.flatMap(({ after, events, webhookId }) => {
      const webhook = found.byId(webhookKind, webhookId)
      if (webhook === null || !webhook.record.enabled || webhook.record.dispatchedSequence !== after) return []
      const pending = pendingOf(found.all(webhookDeliveryKind, "webhookId", webhookId))
      const fitting = events.slice(0, Math.max(0, keptWebhookDeliveries.pending - pending.length))
      const last = fitting.at(-1)
      return last === undefined ? [] : [{ webhook, fitting, last }]
    })
    const sent = moves.flatMap(({ fitting, webhook: { record } }) =>
      fitting.filter((event) => isSentTo(record, event)).map((event) => ({ event, webhookId: record.id }))
    )
    const insertions = sent.map(({ event, webhookId }, index): Write => {
      const after = makeUnchecked(WebhookDeliveryRecord, {
        id: WebhookDeliveryId.make(firstId.slice(0, -8) + (index + 1).toString(16).padStart(8, "0")),
        eventId: event.id,
        type: event.type,
        attempt: 0,
        status: "pending",
        responseStatus: null,
        error: null,
        at,
        nextAttemptAt: at,
        organisationId,
        webhookId,
        eventSequence: event.sequence,
        createdAt: at,
        claimedUntil: null
      })
      return { kind: webhookDeliveryKind, id: after.id, before: null, after }
    })
    const moved = moves.map(({ last, webhook }) => webhookWrite(webhook, { dispatchedSequence: last.sequence }))
    return { answer: moved.length, writes: [...moved, ...insertions] }
  }

/** Claims due deliveries of a webhook, the longest due first. Those of a disabled webhook fail. */
export const claimDeliveries =
  (webhookId: WebhookId, { claimedUntil, limit, now }: Parameters<Service["claim"]>[2]) =>
  (found: Found) => {
    const webhook = found.byId(webhookKind, webhookId)
    if (webhook === null) return { answer: null, writes: [] }
    const dueAt = ({ nextAttemptAt }: WebhookDeliveryRecord) => nextAttemptAt?.epochMilliseconds ?? 0
    const due = pendingOf(found.all(webhookDeliveryKind, "webhookId", webhookId))
      .filter(({ record }) => dueAt(record) <= now.epochMilliseconds)
      .toSorted((a, b) => dueAt(a.record) - dueAt(b.record) || byId(a.record, b.record))
    const claimed = webhookWrite(webhook, { claimedAt: now })
    const { enabled, failingSince, secrets, url } = webhook.record
    if (!enabled) {
      const ended = {
        status: "failed",
        error: "The webhook is disabled.",
        nextAttemptAt: null,
        claimedUntil: null
      } as const
      return { answer: null, writes: [claimed, ...due.map((one) => deliveryWrite(one, ended))] }
    }
    const writes = due
      .slice(0, failingSince === null ? limit : 1)
      .map((one) => deliveryWrite(one, { nextAttemptAt: claimedUntil, claimedUntil }))
    const answer = { url, secrets: signingSecrets(secrets, now), deliveries: writes.map(({ after }) => after) }
    return { answer: writes.length === 0 ? null : answer, writes: [claimed, ...writes] }
  }

/** Stores the result of an attempt that is still under its claim. */
export const settleDelivery =
  (webhookId: WebhookId, deliveryId: WebhookDeliveryId, { claimedUntil, ...result }: AttemptResult) =>
  (found: Found): { readonly answer: undefined; readonly writes: ReadonlyArray<Write> } => {
    const webhook = found.byId(webhookKind, webhookId)
    const delivery = found.byId(webhookDeliveryKind, deliveryId)
    const nothing = { answer: undefined, writes: [] }
    if (webhook === null || delivery === null || delivery.record.webhookId !== webhookId) return nothing
    if (delivery.record.claimedUntil?.epochMilliseconds !== claimedUntil.epochMilliseconds) return nothing
    const failingSince = result.status === "delivered" ? null : (webhook.record.failingSince ?? result.at)
    const attempt = delivery.record.attempt + 1
    return {
      answer: undefined,
      writes: [
        webhookWrite(webhook, { failingSince }),
        deliveryWrite(delivery, { ...result, attempt, claimedUntil: null })
      ]
    }
  }

/** Removes ended deliveries that are old, or more than are kept. */
export const purgeDeliveries =
  (organisationId: OrganisationId, { before, keep, limit }: Parameters<Service["purge"]>[1]) =>
  (found: Found): { readonly answer: number; readonly writes: ReadonlyArray<Write> } => {
    const old = found.all(webhookKind, "organisationId", organisationId).flatMap(({ record: { id } }) =>
      found
        .all(webhookDeliveryKind, "webhookId", id)
        .filter(({ record }) => record.status !== "pending")
        .toSorted((a, b) => DateTime.Order(b.record.at, a.record.at))
        .filter(({ record }, index) => index >= keep || DateTime.isLessThan(record.at, before))
    )
    const removed = old.slice(0, limit)
    return {
      answer: removed.length,
      writes: removed.map((one) => ({ kind: webhookDeliveryKind, id: one.record.id, before: one, after: null }))
    }
  }

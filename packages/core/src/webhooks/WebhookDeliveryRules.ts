/**
 * Rules of deliveries as pure functions: records and a command in, a change or a refusal out. Deliveries have no
 * events.
 */
import { DateTime, Result } from "effect"
import type { EventOrigin } from "../events/EventOrigin.ts"
import type { OrganisationId } from "../organisations/Organisation.ts"
import type { Decision } from "../records/Deciding.ts"
import type { Found } from "../records/Found.ts"
import { makeUnchecked } from "../records/MakeUnchecked.ts"
import type { Find, Write } from "../records/RecordKind.ts"
import type { WebhookId } from "./Webhook.ts"
import type { WebhookDelivery, WebhookDeliveryId } from "./WebhookDelivery.ts"
import {
  WebhookDeliveryRecord,
  webhookDeliveryKind,
  webhookDeliveryOf,
  webhookReference
} from "./WebhookDeliveryKind.ts"
import { DeliveryNotFound, WebhookNotFound } from "./WebhookErrors.ts"
import { WebhookRecord, webhookKind } from "./WebhookKind.ts"

/** The ended delivery of a test. */
export interface TestDelivery {
  readonly organisationId: OrganisationId
  readonly webhookId: WebhookId
  readonly delivery: WebhookDelivery
}

/** Stores the ended delivery of a test. A delivered one ends the failures of the webhook. */
export const storeTestDelivery =
  ({ delivery, organisationId, webhookId }: TestDelivery, origin: EventOrigin) =>
  (found: Found): Result.Result<Decision<WebhookDelivery>, WebhookNotFound> => {
    const before = found.byId(webhookKind, webhookId)
    if (before === null) return Result.fail(new WebhookNotFound({ webhookId }))
    const { at, id } = delivery
    const after = makeUnchecked(WebhookDeliveryRecord, {
      ...delivery,
      organisationId,
      webhookId,
      eventSequence: null,
      createdAt: at,
      claimedUntil: null
    })
    const endsFailures = delivery.status === "delivered" && before.record.failingSince !== null
    const succeeding = makeUnchecked(WebhookRecord, { ...before.record, failingSince: null })
    const ended: ReadonlyArray<Write> = endsFailures
      ? [{ kind: webhookKind, id: webhookId, before, after: succeeding }]
      : []
    return Result.succeed({
      answer: delivery,
      change: {
        writes: [...ended, { kind: webhookDeliveryKind, id, before: null, after }],
        events: [],
        origin,
        at,
        mayChange: [webhookId]
      }
    })
  }

/** A delivery to send again. */
export interface DeliveryRetry {
  readonly webhookId: WebhookId
  readonly deliveryId: WebhookDeliveryId
  readonly at: DateTime.Utc
}

/** The records that `retryDelivery` reads. */
export const findsOfRetry = ({ deliveryId, webhookId }: DeliveryRetry): ReadonlyArray<Find> => [
  { kind: webhookReference, by: "id", values: [webhookId] },
  { kind: webhookDeliveryKind, by: "id", values: [deliveryId] }
]

/** Makes a delivery due, in any status. One with a claimed attempt is the answer, unchanged. */
export const retryDelivery =
  ({ at, deliveryId, webhookId }: DeliveryRetry, origin: EventOrigin) =>
  (found: Found): Result.Result<Decision<WebhookDelivery>, WebhookNotFound | DeliveryNotFound> => {
    if (found.byId(webhookReference, webhookId) === null) return Result.fail(new WebhookNotFound({ webhookId }))
    const before = found.byId(webhookDeliveryKind, deliveryId)
    if (before === null || before.record.webhookId !== webhookId) {
      return Result.fail(new DeliveryNotFound({ deliveryId }))
    }
    const { record } = before
    const { claimedUntil } = record
    if (claimedUntil !== null && DateTime.isGreaterThan(claimedUntil, at)) {
      return Result.succeed({ answer: webhookDeliveryOf(record), change: null })
    }
    const after = makeUnchecked(WebhookDeliveryRecord, { ...record, status: "pending", nextAttemptAt: at })
    return Result.succeed({
      answer: webhookDeliveryOf(after),
      change: {
        writes: [{ kind: webhookDeliveryKind, id: deliveryId, before, after }],
        events: [],
        origin,
        at
      }
    })
  }

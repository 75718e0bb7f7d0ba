/**
 * A delivery: one event, sent to one webhook in one or more attempts.
 */
import { Schema } from "effect"
import { Uuid } from "../input/Uuid.ts"
import { maximumPageSize, paging } from "../lists/Page.ts"

export const WebhookDeliveryId = Uuid.pipe(Schema.brand("WebhookDeliveryId"))
export type WebhookDeliveryId = typeof WebhookDeliveryId.Type

/** Type of the event that `Webhooks.test` sends. It is in no feed. */
export const webhookTestType = "webhook.test"

/**
 * `attempt` counts the attempts made. `at` is the instant of the last one; before the first, of the
 * creation. `responseStatus` is null when no answer came, `error` null after a success.
 * `nextAttemptAt` is null unless the delivery is pending.
 */
export class WebhookDelivery extends Schema.Class<WebhookDelivery>("@solar-sites/core/WebhookDelivery")({
  id: WebhookDeliveryId,
  eventId: Schema.String,
  type: Schema.String,
  attempt: Schema.Int,
  status: Schema.Literals(["pending", "delivered", "failed"]),
  responseStatus: Schema.NullOr(Schema.Int),
  error: Schema.NullOr(Schema.String),
  at: Schema.DateTimeUtcFromString,
  nextAttemptAt: Schema.NullOr(Schema.DateTimeUtcFromString)
}) {}

/** Query of the deliveries of a webhook. */
export const ListWebhookDeliveries = Schema.Struct(paging("webhook-deliveries", maximumPageSize))
export type ListWebhookDeliveries = typeof ListWebhookDeliveries.Type

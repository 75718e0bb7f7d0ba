/**
 * Deliveries as records.
 */
import { Schema } from "effect"
import { OrganisationId } from "../organisations/Organisation.ts"
import { makeUnchecked } from "../records/MakeUnchecked.ts"
import { recordKind } from "../records/RecordKind.ts"
import { WebhookId } from "./Webhook.ts"
import { WebhookDelivery } from "./WebhookDelivery.ts"

/**
 * A stored delivery. `eventSequence` is that of its event, null for a test. Until `claimedUntil` one worker sends
 * it. Retries end some days after `createdAt`.
 */
export class WebhookDeliveryRecord extends Schema.Class<WebhookDeliveryRecord>(
  "@solar-sites/core/WebhookDeliveryRecord"
)({
  ...WebhookDelivery.fields,
  organisationId: OrganisationId,
  webhookId: WebhookId,
  eventSequence: Schema.NullOr(Schema.Int),
  createdAt: Schema.DateTimeUtcFromString,
  claimedUntil: Schema.NullOr(Schema.DateTimeUtcFromString)
}) {}

export const webhookDeliveryKind = recordKind("webhook_delivery", WebhookDeliveryRecord, {
  references: [{ member: "webhookId", kind: "webhook", cascade: true }]
})

/** The existence of the webhook of deliveries. */
export const webhookReference = recordKind("webhook", Schema.Struct({ id: WebhookId }), { isExistence: true })

/** The delivery that callers see. */
export const webhookDeliveryOf = ({
  claimedUntil: _claimedUntil,
  createdAt: _createdAt,
  eventSequence: _sequence,
  organisationId: _organisationId,
  webhookId: _webhookId,
  ...members
}: WebhookDeliveryRecord): WebhookDelivery => makeUnchecked(WebhookDelivery, members)

/**
 * Deliveries as records.
 */
import { Schema } from "effect"
import { OrganisationId } from "../organisations/Organisation.ts"
import { makeUnchecked } from "../records/MakeUnchecked.ts"
import type { RecordKind } from "../records/RecordKind.ts"
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

export const webhookDeliveryKind: RecordKind<WebhookDeliveryRecord> = {
  name: "webhook_delivery",
  members: WebhookDeliveryRecord,
  unique: [],
  references: [{ member: "webhookId", kind: "webhook", cascade: true }],
  bounds: []
}

/** The existence of the webhook of deliveries. */
export const webhookReference: RecordKind<{ readonly id: WebhookId }> = {
  name: "webhook",
  members: Schema.Struct({ id: WebhookId }),
  unique: [],
  references: [],
  bounds: [],
  isExistence: true
}

/** The delivery that callers see. */
export const webhookDeliveryOf = ({
  claimedUntil: _claimedUntil,
  createdAt: _createdAt,
  eventSequence: _sequence,
  organisationId: _organisationId,
  webhookId: _webhookId,
  ...members
}: WebhookDeliveryRecord): WebhookDelivery => makeUnchecked(WebhookDelivery, members)

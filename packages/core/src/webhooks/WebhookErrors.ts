/**
 * Refusals of webhooks, and the failure of a delivery attempt.
 */
import { Schema } from "effect"
import { redacted, redactedIds } from "../input/Redaction.ts"

/**
 * The address of a webhook is refused. `reason` continues "The address …". It never repeats the
 * address or what its name resolves to.
 */
export class WebhookAddressNotAllowed extends Schema.TaggedError<WebhookAddressNotAllowed>(
  "@solar-sites/core/WebhookAddressNotAllowed"
)("WebhookAddressNotAllowed", { reason: Schema.String }) {
  readonly code = "webhook_address_not_allowed"

  override get message(): string {
    return `The address ${redacted(this.reason)}`
  }
}

/**
 * Reasons of a failed delivery attempt. `timeout`: no status in time. `connection`: refused,
 * reset, or no valid HTTP. `tls`: no valid certificate for the host. `redirect`: an answer of 300
 * to 399. Once a status arrives, a slow, endless or broken body is no failure.
 */
export const WebhookSendFailure = Schema.Literals(["address_not_allowed", "timeout", "connection", "tls", "redirect"])
export type WebhookSendFailure = typeof WebhookSendFailure.Type

/**
 * A delivery attempt failed without a status that counts. `status` is that of the answer, if one
 * began. `detail` is one sentence for people, without address, body and signature.
 */
export class WebhookSendFailed extends Schema.TaggedError<WebhookSendFailed>("@solar-sites/core/WebhookSendFailed")(
  "WebhookSendFailed",
  { reason: WebhookSendFailure, detail: Schema.String, status: Schema.NullOr(Schema.Int) }
) {
  override get message(): string {
    return redacted(this.detail)
  }
}

/** No such webhook in the organisation of the caller. */
export class WebhookNotFound extends Schema.TaggedError<WebhookNotFound>("@solar-sites/core/WebhookNotFound")(
  "WebhookNotFound",
  { webhookId: Schema.String }
) {
  readonly code = "webhook_not_found"

  override get message(): string {
    return `No such webhook in this organisation: ${redactedIds(this.webhookId)}`
  }
}

/** The webhook has no such delivery, or no longer. */
export class DeliveryNotFound extends Schema.TaggedError<DeliveryNotFound>("@solar-sites/core/DeliveryNotFound")(
  "DeliveryNotFound",
  { deliveryId: Schema.String }
) {
  readonly code = "delivery_not_found"

  override get message(): string {
    return `No such delivery of this webhook: ${redactedIds(this.deliveryId)}`
  }
}

/** The organisation has the maximum of webhooks. */
export class TooManyWebhooks extends Schema.TaggedError<TooManyWebhooks>("@solar-sites/core/TooManyWebhooks")(
  "TooManyWebhooks",
  { maximum: Schema.Int }
) {
  readonly code = "too_many_webhooks"

  override get message(): string {
    return `The organisation has ${this.maximum} webhooks, which is the maximum; delete one first`
  }
}

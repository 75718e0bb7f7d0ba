/**
 * A webhook and its inputs (specification, section 12).
 */
import { Schema } from "effect"
import { EventPattern } from "../events/EventType.ts"
import { boundedArray } from "../input/BoundedArray.ts"
import { ignored, readOnlyMembers, type Untyped } from "../input/ReadOnlyMembers.ts"
import { isPlainText, text } from "../input/Text.ts"
import { Uuid } from "../input/Uuid.ts"
import { maximumPageSize, paging } from "../lists/Page.ts"
import { Version } from "../versions/Version.ts"
import { WebhookDelivery } from "./WebhookDelivery.ts"
import type { WebhookSecret } from "./WebhookSigning.ts"

export const WebhookId = Uuid.pipe(Schema.brand("WebhookId"))
export type WebhookId = typeof WebhookId.Type

const isAddress = (value: string): boolean => {
  const url = isPlainText(value) ? URL.parse(value) : null
  return url !== null && `${url.username}${url.password}` === ""
}

/** An address in any spelling. `WebhookSender.check` judges its scheme and its host. */
const WebhookUrl = Schema.String.check(
  Schema.isMaxCodePoints(2_048, { message: "must have at most 2048 characters", faultCode: "too_long" }),
  Schema.makeFilter(isAddress, {
    message: "must be an https address without user name and password",
    faultCode: "invalid_url"
  })
)

/** The events of a webhook: a type, all types of a subject, or all types. */
const WebhookEvents = Schema.Union([EventPattern, Schema.Literal("*")])

const settable = {
  url: WebhookUrl,
  events: boundedArray(WebhookEvents, { max: 50, noun: "event" }),
  description: Schema.NullOr(text({ max: 500 })),
  enabled: Schema.Boolean
}

/**
 * Each matching event is sent to `url` while the webhook is `enabled`. `events` are event types,
 * prefixes such as `document.*`, or `*`. `lastDelivery` is the delivery with the latest attempt.
 */
export class Webhook extends Schema.Class<Webhook>("@solar-sites/core/Webhook")({
  id: WebhookId,
  url: Schema.String,
  events: Schema.Array(WebhookEvents),
  description: Schema.NullOr(Schema.String),
  enabled: Schema.Boolean,
  createdAt: Schema.DateTimeUtcFromString,
  updatedAt: Schema.DateTimeUtcFromString,
  version: Version,
  lastDelivery: Schema.NullOr(WebhookDelivery)
}) {}

/** A webhook with its new secret, which is available only here. */
export interface IssuedWebhook {
  readonly webhook: Webhook
  readonly secret: WebhookSecret
}

/** The JSON form of `IssuedWebhook`. */
export const WebhookWithSecret = Schema.Struct({ ...Webhook.fields, secret: Schema.String })

const returnedOnly: Untyped = { ...readOnlyMembers, lastDelivery: ignored, secret: ignored }

/** Input for a new webhook; null equals absent. `enabled` defaults to true. */
export const CreateWebhook = Schema.Struct({
  ...returnedOnly,
  url: settable.url,
  events: settable.events,
  description: Schema.optionalKey(settable.description),
  enabled: Schema.optionalKey(Schema.NullOr(settable.enabled))
})
export type CreateWebhook = typeof CreateWebhook.Type

/** Changes of a webhook. An absent member keeps its value; `null` clears the description. */
export const UpdateWebhook = Schema.Struct({
  ...returnedOnly,
  url: Schema.optionalKey(settable.url),
  events: Schema.optionalKey(settable.events),
  description: Schema.optionalKey(settable.description),
  enabled: Schema.optionalKey(settable.enabled)
})
export type UpdateWebhook = typeof UpdateWebhook.Type

export const ListWebhooks = Schema.Struct(paging("webhooks", maximumPageSize))
export type ListWebhooks = typeof ListWebhooks.Type

/**
 * The address without its query and fragment, which can hold secrets.
 */
export const shownUrl = (url: string): string => url.replace(/[?#].*$/s, "")

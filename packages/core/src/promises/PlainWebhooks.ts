/** The JSON form of webhooks. */
import type { CreateWebhook, ListWebhooks, UpdateWebhook, Webhook, WebhookWithSecret } from "../webhooks/Webhook.ts"
import type { ListWebhookDeliveries, WebhookDelivery } from "../webhooks/WebhookDelivery.ts"

export type PlainWebhook = typeof Webhook.Encoded

/** A webhook with its new secret. No other call returns the secret. */
export type PlainIssuedWebhook = typeof WebhookWithSecret.Encoded

export type PlainCreateWebhook = typeof CreateWebhook.Encoded

/** An absent member keeps its value; `null` clears the description. */
export type PlainUpdateWebhook = typeof UpdateWebhook.Encoded

export type PlainListWebhooks = typeof ListWebhooks.Encoded

export type PlainWebhookDelivery = typeof WebhookDelivery.Encoded

export type PlainListWebhookDeliveries = typeof ListWebhookDeliveries.Encoded

/**
 * The JSON form of webhooks.
 *
 * @since 0.1.0
 */
import type { CreateWebhook, ListWebhooks, UpdateWebhook, Webhook, WebhookWithSecret } from "../webhooks/Webhook.ts"
import type { ListWebhookDeliveries, WebhookDelivery } from "../webhooks/WebhookDelivery.ts"

/**
 * @category models
 * @since 0.1.0
 */
export type PlainWebhook = typeof Webhook.Encoded

/**
 * A webhook with its new secret. No other call returns the secret.
 *
 * @category models
 * @since 0.1.0
 */
export type PlainIssuedWebhook = typeof WebhookWithSecret.Encoded

/**
 * @category models
 * @since 0.1.0
 */
export type PlainCreateWebhook = typeof CreateWebhook.Encoded

/**
 * An absent member keeps its value; `null` clears the description.
 *
 * @category models
 * @since 0.1.0
 */
export type PlainUpdateWebhook = typeof UpdateWebhook.Encoded

/**
 * @category models
 * @since 0.1.0
 */
export type PlainListWebhooks = typeof ListWebhooks.Encoded

/**
 * @category models
 * @since 0.1.0
 */
export type PlainWebhookDelivery = typeof WebhookDelivery.Encoded

/**
 * @category models
 * @since 0.1.0
 */
export type PlainListWebhookDeliveries = typeof ListWebhookDeliveries.Encoded

/**
 * The operations on webhooks: JSON forms, promises and rows.
 */
import type { OperationOptions } from "../caller/CallOptions.ts"
import { change, create, read } from "../caller/Operation.ts"
import { type List, listOf } from "../lists/Page.ts"
import { CreateWebhook, ListWebhooks, UpdateWebhook, Webhook, WebhookId, WebhookWithSecret } from "./Webhook.ts"
import { ListWebhookDeliveries, WebhookDelivery, WebhookDeliveryId } from "./WebhookDelivery.ts"
import { DeliveryNotFound, WebhookNotFound } from "./WebhookErrors.ts"

export type PlainWebhook = typeof Webhook.Encoded

/** A webhook with its new secret. No other call returns the secret. */
export type PlainIssuedWebhook = typeof WebhookWithSecret.Encoded

export type PlainCreateWebhook = typeof CreateWebhook.Encoded

/** An absent member keeps its value; `null` clears the description. */
export type PlainUpdateWebhook = typeof UpdateWebhook.Encoded

export type PlainListWebhooks = typeof ListWebhooks.Encoded

export type PlainWebhookDelivery = typeof WebhookDelivery.Encoded

export type PlainListWebhookDeliveries = typeof ListWebhookDeliveries.Encoded

export interface WebhookOperations<Options extends OperationOptions = OperationOptions> {
  /** The secret is returned only here and by `rotateSecret`. */
  readonly create: (webhook: PlainCreateWebhook, options?: Options["create"]) => Promise<PlainIssuedWebhook>
  readonly get: (webhookId: string, options?: Options["read"]) => Promise<PlainWebhook>
  /** Oldest first; complete without `limit`. */
  readonly list: (query?: PlainListWebhooks, options?: Options["read"]) => Promise<List<PlainWebhook>>
  /** Values that are stored already change nothing, `version` included. */
  readonly update: (
    webhookId: string,
    changes: PlainUpdateWebhook,
    options?: Options["change"]
  ) => Promise<PlainWebhook>
  readonly delete: (webhookId: string, options?: Options["change"]) => Promise<void>
  /** Returns a new secret. The one before it signs too for 24 hours. */
  readonly rotateSecret: (webhookId: string, options?: Options["create"]) => Promise<PlainIssuedWebhook>
  /** Sends an event `webhook.test` once and returns its delivery. */
  readonly test: (webhookId: string, options?: Options["create"]) => Promise<PlainWebhookDelivery>
  /** Oldest first; complete without `limit`. */
  readonly listDeliveries: (
    webhookId: string,
    query?: PlainListWebhookDeliveries,
    options?: Options["read"]
  ) => Promise<List<PlainWebhookDelivery>>
  /** Makes a delivery due at once, in any status. */
  readonly retry: (webhookId: string, deliveryId: string, options?: Options["create"]) => Promise<PlainWebhookDelivery>
}

const webhook = { schema: WebhookId, missing: (webhookId: WebhookId) => new WebhookNotFound({ webhookId }) }

const delivery = {
  schema: WebhookDeliveryId,
  missing: (deliveryId: WebhookDeliveryId) => new DeliveryNotFound({ deliveryId })
}

export const webhookOperations = {
  create: create({
    scopes: ["webhooks:write"],
    limited: "caller_limited",
    input: CreateWebhook,
    output: WebhookWithSecret,
    refusals: ["webhook_address_not_allowed", "too_many_webhooks"]
  }),
  get: read({
    scopes: ["webhooks:read"],
    limited: "caller_limited",
    names: [webhook],
    output: Webhook,
    refusals: ["webhook_not_found"]
  }),
  list: read({
    scopes: ["webhooks:read"],
    limited: "caller_limited",
    input: ListWebhooks,
    output: listOf(Webhook),
    refusals: []
  }),
  update: change({
    scopes: ["webhooks:write"],
    limited: "caller_limited",
    names: [webhook],
    input: UpdateWebhook,
    output: Webhook,
    refusals: ["webhook_address_not_allowed", "webhook_not_found"]
  }),
  delete: change({
    scopes: ["webhooks:write"],
    limited: "caller_limited",
    names: [webhook],
    refusals: ["webhook_not_found"]
  }),
  rotateSecret: create({
    scopes: ["webhooks:write"],
    limited: "caller_limited",
    names: [webhook],
    output: WebhookWithSecret,
    refusals: ["webhook_not_found"]
  }),
  test: create({
    scopes: ["webhooks:write"],
    limited: "caller_limited",
    names: [webhook],
    output: WebhookDelivery,
    refusals: ["webhook_not_found"]
  }),
  listDeliveries: read({
    scopes: ["webhooks:read"],
    limited: "caller_limited",
    names: [webhook],
    input: ListWebhookDeliveries,
    output: listOf(WebhookDelivery),
    refusals: ["webhook_not_found"]
  }),
  retry: create({
    scopes: ["webhooks:write"],
    limited: "caller_limited",
    names: [webhook, delivery],
    output: WebhookDelivery,
    refusals: ["webhook_not_found", "delivery_not_found"]
  })
}

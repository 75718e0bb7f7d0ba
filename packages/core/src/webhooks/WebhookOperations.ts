/**
 * The operations on webhooks.
 */
import { change, create, read } from "../caller/Operation.ts"
import { listOf } from "../persistence/Page.ts"
import { CreateWebhook, ListWebhooks, UpdateWebhook, Webhook, WebhookId, WebhookWithSecret } from "./Webhook.ts"
import { ListWebhookDeliveries, WebhookDelivery, WebhookDeliveryId } from "./WebhookDelivery.ts"
import { DeliveryNotFound, WebhookNotFound } from "./WebhookErrors.ts"

const webhook = { schema: WebhookId, missing: (webhookId: WebhookId) => new WebhookNotFound({ webhookId }) }

const delivery = {
  schema: WebhookDeliveryId,
  missing: (deliveryId: WebhookDeliveryId) => new DeliveryNotFound({ deliveryId })
}

export const webhookOperations = {
  create: create({
    scopes: ["webhooks:write"],
    input: CreateWebhook,
    output: WebhookWithSecret,
    refusals: ["webhook_address_not_allowed", "too_many_webhooks"]
  }),
  get: read({ scopes: ["webhooks:read"], names: [webhook], output: Webhook, refusals: ["webhook_not_found"] }),
  list: read({ scopes: ["webhooks:read"], input: ListWebhooks, output: listOf(Webhook), refusals: [] }),
  update: change({
    scopes: ["webhooks:write"],
    names: [webhook],
    input: UpdateWebhook,
    output: Webhook,
    refusals: ["webhook_address_not_allowed", "webhook_not_found"]
  }),
  delete: change({ scopes: ["webhooks:write"], names: [webhook], refusals: ["webhook_not_found"] }),
  rotateSecret: create({
    scopes: ["webhooks:write"],
    names: [webhook],
    output: WebhookWithSecret,
    refusals: ["webhook_not_found"]
  }),
  test: create({
    scopes: ["webhooks:write"],
    names: [webhook],
    output: WebhookDelivery,
    refusals: ["webhook_not_found"]
  }),
  listDeliveries: read({
    scopes: ["webhooks:read"],
    names: [webhook],
    input: ListWebhookDeliveries,
    output: listOf(WebhookDelivery),
    refusals: ["webhook_not_found"]
  }),
  retry: create({
    scopes: ["webhooks:write"],
    names: [webhook, delivery],
    output: WebhookDelivery,
    refusals: ["webhook_not_found", "delivery_not_found"]
  })
}

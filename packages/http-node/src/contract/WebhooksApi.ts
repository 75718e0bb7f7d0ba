/** The webhook endpoints (specification, section 12). */
import {
  keptWebhookDeliveries,
  operations,
  WebhookId,
  WebhookWithSecret,
  webhookSecretOverlapHours,
  webhookTimeoutSeconds
} from "@solar-sites/core/model"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication } from "./Authentication.ts"
import { PathResource } from "./Conditions.ts"
import { operation } from "./Operation.ts"
import { conditional, partsOf } from "./Parts.ts"

const { webhooks } = operations

const exampleDelivery = {
  id: "0197a3b0-7000-7000-8000-00000000001b",
  eventId: "0197a3b0-7000-7000-8000-00000000001c",
  type: "webhook.test",
  attempt: 1,
  status: "delivered",
  responseStatus: 204,
  error: null,
  at: "2026-01-05T09:00:01.000Z",
  nextAttemptAt: null
}

const exampleNewWebhook = {
  url: "https://example.com/solar-events",
  events: ["document.*", "site.deleted"],
  description: "Document archive"
}

const exampleWebhook = {
  id: "0197a3b0-7000-7000-8000-00000000001a",
  ...exampleNewWebhook,
  enabled: true,
  createdAt: "2026-01-05T08:50:00.000Z",
  updatedAt: "2026-01-05T08:50:00.000Z",
  version: 1,
  lastDelivery: exampleDelivery
}

const exampleIssuedWebhook = { ...exampleWebhook, lastDelivery: null, secret: "whsec_…" }

const responseHeaders = { etag: "The version of the webhook, to be sent back in If-Match." }

export class WebhooksApi extends HttpApiGroup.make("webhooks")
  .add(
    HttpApiEndpoint.get("list", "/api/webhooks", conditional(partsOf(webhooks.list))).annotateMerge(
      operation(webhooks.list, {
        id: "listWebhooks",
        summary: "List webhooks",
        description: "Oldest first. Without `limit` the list is complete.",
        response: { data: [exampleWebhook], nextCursor: null }
      })
    ),
    HttpApiEndpoint.post("create", "/api/webhooks", {
      ...partsOf(webhooks.create),
      success: WebhookWithSecret.pipe(HttpApiSchema.status(201))
    }).annotateMerge(
      operation(webhooks.create, {
        id: "createWebhook",
        summary: "Create a webhook",
        description: "The answer holds the secret that signs the messages. No later answer repeats it.",
        request: exampleNewWebhook,
        response: exampleIssuedWebhook,
        responseHeaders: { ...responseHeaders, location: "The path of the new webhook." }
      })
    ),
    HttpApiEndpoint.get("get", "/api/webhooks/:id", partsOf(webhooks.get)).annotateMerge(
      operation(webhooks.get, {
        id: "getWebhook",
        summary: "Read a webhook",
        response: exampleWebhook,
        responseHeaders
      })
    ),
    HttpApiEndpoint.put("update", "/api/webhooks/:id", partsOf(webhooks.update)).annotateMerge(
      operation(webhooks.update, {
        id: "updateWebhook",
        summary: "Change a webhook",
        description:
          "An absent member keeps its value, `null` clears the description. Events that happen while a webhook is disabled are not sent to it.",
        request: { enabled: false },
        response: { ...exampleWebhook, enabled: false, version: 2 },
        responseHeaders
      })
    ),
    HttpApiEndpoint.delete("delete", "/api/webhooks/:id", partsOf(webhooks.delete)).annotateMerge(
      operation(webhooks.delete, {
        id: "deleteWebhook",
        summary: "Delete a webhook with its deliveries"
      })
    ),
    HttpApiEndpoint.post(
      "rotateSecret",
      "/api/webhooks/:id/rotate-secret",
      partsOf(webhooks.rotateSecret)
    ).annotateMerge(
      operation(webhooks.rotateSecret, {
        id: "rotateWebhookSecret",
        summary: "Replace the secret of a webhook",
        description: `Messages carry the signatures of both secrets for ${webhookSecretOverlapHours} hours. The body is empty.`,
        response: { ...exampleIssuedWebhook, version: 2 },
        responseHeaders
      })
    ),
    HttpApiEndpoint.post("test", "/api/webhooks/:id/test", partsOf(webhooks.test)).annotateMerge(
      operation(webhooks.test, {
        id: "testWebhook",
        summary: "Send a test event",
        description: `Sends one event of type \`webhook.test\`, waits at most ${webhookTimeoutSeconds} seconds for the answer, and does not try again. The body is empty.`,
        response: exampleDelivery
      })
    ),
    HttpApiEndpoint.get(
      "listDeliveries",
      "/api/webhooks/:id/deliveries",
      conditional(partsOf(webhooks.listDeliveries))
    ).annotateMerge(
      operation(webhooks.listDeliveries, {
        id: "listWebhookDeliveries",
        summary: "List the deliveries of a webhook",
        description: `Oldest first. Without \`limit\` the list is complete. A delivery is kept for ${keptWebhookDeliveries.days} days after its end, at most ${keptWebhookDeliveries.ended.toLocaleString("en-GB")} per webhook.`,
        response: { data: [exampleDelivery], nextCursor: null }
      })
    ),
    HttpApiEndpoint.post("retry", "/api/webhooks/:id/deliveries/:deliveryId/retry", {
      ...partsOf(webhooks.retry), // An id of another form is unknown. The group refuses only a malformed id of a webhook.
      params: { id: WebhookId, deliveryId: Schema.String }
    }).annotateMerge(
      operation(webhooks.retry, {
        id: "retryWebhookDelivery",
        summary: "Try a delivery again",
        description: "Makes the delivery due at once, in any status. The body is empty.",
        response: { ...exampleDelivery, status: "pending", nextAttemptAt: "2026-01-05T09:10:00.000Z" }
      })
    )
  )
  .middleware(Authentication)
  .annotate(PathResource, "webhook_not_found")
  .annotateMerge(
    OpenApi.annotations({ title: "Webhooks", description: "Events that are sent to addresses of the organisation." })
  ) {}

/** The webhook endpoints (specification, section 12). */
import {
  CreateWebhook,
  ListWebhookDeliveries,
  ListWebhooks,
  neededScopes,
  UpdateWebhook,
  Webhook,
  WebhookDelivery,
  WebhookId,
  WebhookWithSecret
} from "@solar-sites/core/model"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication } from "./Authentication.ts"
import { EmptyBody, IdempotencyKey, IfMatch, inQuery, listOf, PathResource } from "./Conditions.ts"
import { bodyProblems, idempotencyProblems, ifMatchProblems, operation } from "./Operation.ts"
import { refusals } from "./Problems.ts"

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

const params = { id: WebhookId }
const responseHeaders = { etag: "The version of the webhook, to be sent back in If-Match." }

export class WebhooksApi extends HttpApiGroup.make("webhooks")
  .add(
    HttpApiEndpoint.get("list", "/api/webhooks", {
      query: inQuery(ListWebhooks),
      success: listOf(Webhook),
      error: refusals
    }).annotateMerge(
      operation({
        id: "listWebhooks",
        scopes: neededScopes.webhooks.list,
        summary: "List webhooks",
        description: "Oldest first. Without `limit` the list is complete.",
        problems: ["validation_failed"],
        response: { data: [exampleWebhook], nextCursor: null }
      })
    ),
    HttpApiEndpoint.post("create", "/api/webhooks", {
      headers: IdempotencyKey,
      payload: CreateWebhook,
      success: WebhookWithSecret.pipe(HttpApiSchema.status(201)),
      error: refusals
    }).annotateMerge(
      operation({
        id: "createWebhook",
        scopes: neededScopes.webhooks.create,
        summary: "Create a webhook",
        description: "The answer holds the secret that signs the messages. No later answer repeats it.",
        problems: [...bodyProblems, ...idempotencyProblems, "webhook_address_not_allowed", "too_many_webhooks"],
        request: exampleNewWebhook,
        response: exampleIssuedWebhook,
        responseHeaders: { ...responseHeaders, location: "The path of the new webhook." }
      })
    ),
    HttpApiEndpoint.get("get", "/api/webhooks/:id", { params, success: Webhook, error: refusals }).annotateMerge(
      operation({
        id: "getWebhook",
        scopes: neededScopes.webhooks.get,
        summary: "Read a webhook",
        problems: ["validation_failed", "webhook_not_found"],
        response: exampleWebhook,
        responseHeaders
      })
    ),
    HttpApiEndpoint.put("update", "/api/webhooks/:id", {
      params,
      headers: IfMatch,
      payload: UpdateWebhook,
      success: Webhook,
      error: refusals
    }).annotateMerge(
      operation({
        id: "updateWebhook",
        scopes: neededScopes.webhooks.update,
        summary: "Change a webhook",
        description:
          "An absent member keeps its value, `null` clears the description. Events that happen while a webhook is disabled are not sent to it.",
        problems: [...bodyProblems, ...ifMatchProblems, "webhook_address_not_allowed", "webhook_not_found"],
        request: { enabled: false },
        response: { ...exampleWebhook, enabled: false, version: 2 },
        responseHeaders
      })
    ),
    HttpApiEndpoint.delete("delete", "/api/webhooks/:id", { params, headers: IfMatch, error: refusals }).annotateMerge(
      operation({
        id: "deleteWebhook",
        scopes: neededScopes.webhooks.delete,
        summary: "Delete a webhook with its deliveries",
        problems: ["validation_failed", ...ifMatchProblems, "webhook_not_found"]
      })
    ),
    HttpApiEndpoint.post("rotateSecret", "/api/webhooks/:id/rotate-secret", {
      params,
      headers: IdempotencyKey,
      payload: EmptyBody,
      success: WebhookWithSecret,
      error: refusals
    }).annotateMerge(
      operation({
        id: "rotateWebhookSecret",
        scopes: neededScopes.webhooks.rotateSecret,
        summary: "Replace the secret of a webhook",
        description: "Messages carry the signatures of both secrets for 24 hours. The body is empty.",
        problems: [...bodyProblems, ...idempotencyProblems, "webhook_not_found"],
        request: {},
        bodyOptional: true,
        response: { ...exampleIssuedWebhook, version: 2 },
        responseHeaders
      })
    ),
    HttpApiEndpoint.post("test", "/api/webhooks/:id/test", {
      params,
      headers: IdempotencyKey,
      payload: EmptyBody,
      success: WebhookDelivery,
      error: refusals
    }).annotateMerge(
      operation({
        id: "testWebhook",
        scopes: neededScopes.webhooks.test,
        summary: "Send a test event",
        description:
          "Sends one event of type `webhook.test`, waits at most 10 seconds for the answer, and does not try again. The body is empty.",
        problems: [...bodyProblems, ...idempotencyProblems, "webhook_not_found"],
        request: {},
        bodyOptional: true,
        response: exampleDelivery
      })
    ),
    HttpApiEndpoint.get("listDeliveries", "/api/webhooks/:id/deliveries", {
      params,
      query: inQuery(ListWebhookDeliveries),
      success: listOf(WebhookDelivery),
      error: refusals
    }).annotateMerge(
      operation({
        id: "listWebhookDeliveries",
        scopes: neededScopes.webhooks.listDeliveries,
        summary: "List the deliveries of a webhook",
        description:
          "Oldest first. Without `limit` the list is complete. A delivery is kept for 30 days after its end, at most 10,000 per webhook.",
        problems: ["validation_failed", "webhook_not_found"],
        response: { data: [exampleDelivery], nextCursor: null }
      })
    ),
    HttpApiEndpoint.post("retry", "/api/webhooks/:id/deliveries/:deliveryId/retry", {
      // An id of another form is unknown. The group refuses only a malformed id of a webhook.
      params: { ...params, deliveryId: Schema.String },
      headers: IdempotencyKey,
      payload: EmptyBody,
      success: WebhookDelivery,
      error: refusals
    }).annotateMerge(
      operation({
        id: "retryWebhookDelivery",
        scopes: neededScopes.webhooks.retry,
        summary: "Try a delivery again",
        description: "Makes the delivery due at once, in any status. The body is empty.",
        problems: [...bodyProblems, ...idempotencyProblems, "webhook_not_found", "delivery_not_found"],
        request: {},
        bodyOptional: true,
        response: { ...exampleDelivery, status: "pending", nextAttemptAt: "2026-01-05T09:10:00.000Z" }
      })
    )
  )
  .middleware(Authentication)
  .annotate(PathResource, "webhook_not_found")
  .annotateMerge(
    OpenApi.annotations({ title: "Webhooks", description: "Events, sent to addresses of the organisation." })
  ) {}

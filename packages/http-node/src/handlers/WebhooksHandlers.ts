/**
 * Serves the webhook endpoints by calling `Webhooks`.
 */
import { DeliveryNotFound, type IssuedWebhook, WebhookDeliveryId, Webhooks } from "@solar-sites/core"
import { Effect, Option, Redacted, Schema } from "effect"
import { WebhooksApi } from "../contract/WebhooksApi.ts"
import { serveGroup, withAllScopes } from "../pipeline/Endpoint.ts"
import { reply, replyCreated, replyNothing, replyVersioned } from "../pipeline/Reply.ts"
import { expectedVersions } from "./Conditions.ts"
import { replyList } from "./ListReply.ts"

const withSecret = ({ secret, webhook }: IssuedWebhook) => ({ ...webhook, secret: Redacted.value(secret) })

const deliveryIdIn = Schema.decodeOption(WebhookDeliveryId)

export const webhooksHandlers = Effect.map(Webhooks, (webhooks) =>
  serveGroup(
    WebhooksApi,
    {
      list: ({ query }) => replyList(query, webhooks.list),
      create: ({ base, payload }) =>
        Effect.map(webhooks.create(payload), (issued) =>
          replyCreated(withSecret(issued), `${base}/api/webhooks/${issued.webhook.id}`)
        ),
      get: ({ params }) => Effect.map(webhooks.get(params.id), replyVersioned),
      update: ({ headers, params, payload }) =>
        Effect.map(webhooks.update(params.id, payload, expectedVersions(headers)), replyVersioned),
      delete: ({ headers, params }) => Effect.as(webhooks.delete(params.id, expectedVersions(headers)), replyNothing),
      rotateSecret: ({ params }) =>
        Effect.map(webhooks.rotateSecret(params.id), (issued) => replyVersioned(withSecret(issued))),
      test: ({ params }) => Effect.map(webhooks.test(params.id), (delivery) => reply(delivery)),
      listDeliveries: ({ params, query }) => replyList(query, (page) => webhooks.listDeliveries(params.id, page)),
      retry: ({ params: { deliveryId, id } }) =>
        Option.match(deliveryIdIn(deliveryId), {
          onNone: () =>
            Effect.andThen(withAllScopes(webhooks.get(id)), Effect.fail(new DeliveryNotFound({ deliveryId }))),
          onSome: (known) => Effect.map(webhooks.retry(id, known), (delivery) => reply(delivery))
        })
    },
    {
      resources: {
        rotateSecret: ({ params }) => webhooks.get(params.id),
        test: ({ params }) => webhooks.get(params.id),
        retry: ({ params }) => webhooks.get(params.id)
      }
    }
  )
)

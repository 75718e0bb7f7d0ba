/**
 * Commands about webhooks: `load → rule → commit`.
 */
import { Effect, Option } from "effect"
import { eventOrigins } from "../events/EventOrigin.ts"
import type { OrganisationId } from "../organisations/Organisation.ts"
import { makeDeciding } from "../records/Deciding.ts"
import { listRecords } from "../records/ListedRecords.ts"
import { Records } from "../records/Records.ts"
import type { WebhookId } from "./Webhook.ts"
import type { WebhookCommands } from "./WebhookCommands.ts"
import { webhookDeliveryKind, webhookDeliveryOf } from "./WebhookDeliveryKind.ts"
import { findsOfRetry, retryDelivery, storeTestDelivery } from "./WebhookDeliveryRules.ts"
import { signingSecrets, webhookKind } from "./WebhookKind.ts"
import {
  createWebhook,
  deleteWebhook,
  disableFailingWebhooks,
  findsOfCreation,
  findsOfFailing,
  findsOfWebhook,
  rotateSecret,
  updateWebhook,
  webhookOf
} from "./WebhookRules.ts"

export const webhookRecords: Effect.Effect<WebhookCommands, never, Records> = Effect.gen(function* () {
  const records = yield* Records
  const originOf = yield* eventOrigins
  const deciding = makeDeciding(records)
  const options = { lastSequence: true } as const

  const find = (operation: string, organisationId: OrganisationId, webhookId: WebhookId) =>
    Effect.map(records.load(operation, organisationId, findsOfWebhook(webhookId)), (found) =>
      Option.map(Option.fromNullOr(found.byId(webhookKind, webhookId)), ({ record }) => record)
    )

  return {
    insert: (organisationId, webhook, secret) =>
      Effect.flatMap(originOf(organisationId), (origin) => {
        const given = { organisationId, webhook, secret }
        const [finds, rule] = [findsOfCreation(given), createWebhook(given, origin)]
        // It is loaded always, since it begins after the last event.
        return deciding.create({ operation: "WebhookRepository.insert", organisationId, finds, options, rule }, null)
      }),

    update: (organisationId, webhookId, changes, { at, expectedVersions }) =>
      Effect.flatMap(originOf(organisationId), (origin) =>
        deciding.update(webhookKind, webhookId, {
          operation: "WebhookRepository.update",
          organisationId,
          finds: findsOfWebhook(webhookId),
          options,
          rule: updateWebhook({ webhookId, changes, at, expectedVersions }, origin)
        })
      ),

    delete: (organisationId, webhookId, deletion) =>
      Effect.flatMap(originOf(organisationId), (origin) =>
        deciding.update(webhookKind, webhookId, {
          operation: "WebhookRepository.delete",
          organisationId,
          finds: findsOfWebhook(webhookId),
          rule: deleteWebhook({ webhookId, ...deletion }, origin)
        })
      ),

    rotateSecret: (organisationId, webhookId, rotation) =>
      Effect.flatMap(originOf(organisationId), (origin) =>
        deciding.update(webhookKind, webhookId, {
          operation: "WebhookRepository.rotateSecret",
          organisationId,
          finds: findsOfWebhook(webhookId),
          rule: rotateSecret({ webhookId, ...rotation }, origin)
        })
      ),

    findById: (organisationId, webhookId) =>
      Effect.map(find("WebhookRepository.findById", organisationId, webhookId), Option.map(webhookOf)),

    list: (organisationId, page) =>
      listRecords(records, "WebhookRepository.list", organisationId, webhookKind, webhookOf, { page }),

    findSigning: (organisationId, webhookId, at) =>
      Effect.map(
        find("WebhookRepository.findSigning", organisationId, webhookId),
        Option.map((record) => ({ webhook: webhookOf(record), secrets: signingSecrets(record.secrets, at) }))
      ),

    listDeliveries: (organisationId, webhookId, page) =>
      listRecords(records, "WebhookRepository.listDeliveries", organisationId, webhookDeliveryKind, webhookDeliveryOf, {
        of: { member: "webhookId", value: webhookId },
        page
      }),

    insertDelivery: (organisationId, webhookId, delivery) =>
      Effect.flatMap(originOf(organisationId), (origin) =>
        deciding.update(webhookKind, webhookId, {
          operation: "WebhookRepository.insertDelivery",
          organisationId,
          finds: findsOfWebhook(webhookId),
          rule: storeTestDelivery({ organisationId, webhookId, delivery }, origin)
        })
      ),

    retry: (organisationId, webhookId, deliveryId, at) =>
      Effect.flatMap(originOf(organisationId), (origin) => {
        const given = { webhookId, deliveryId, at }
        return deciding.update(webhookDeliveryKind, deliveryId, {
          operation: "WebhookRepository.retry",
          organisationId,
          finds: findsOfRetry(given),
          rule: retryDelivery(given, origin)
        })
      }),

    disableFailing: (organisationId, failing) =>
      Effect.flatMap(originOf(organisationId), (origin) => {
        const given = { organisationId, ...failing }
        const [finds, rule] = [findsOfFailing(given), disableFailingWebhooks(given, origin)]
        return deciding.create({ operation: "WebhookQueue.disableFailing", organisationId, finds, rule }, null)
      })
  }
})

/**
 * Keeps webhooks in the table `webhook`.
 */
import { WebhookRepository, webhookRecords } from "@solar-sites/core"
import { Effect, Layer } from "effect"
import { PgClient } from "../PgClient.ts"
import * as PgRecords from "../records/PgRecords.ts"
import { makeDeliveries } from "./PgWebhookDeliveries.ts"

export const layer: Layer.Layer<WebhookRepository, never, PgClient> = Layer.effect(
  WebhookRepository,
  Effect.gen(function* () {
    return WebhookRepository.of({ ...(yield* webhookRecords), ...makeDeliveries(yield* PgClient) })
  })
).pipe(Layer.provide(PgRecords.layer))

/**
 * `WebhookRepository` in memory.
 *
 * @since 0.1.0
 */
import { WebhookRepository, webhookDeliveries, webhookRecords } from "@solar-sites/core"
import { Effect, Layer } from "effect"
import type { MemoryDatabase } from "./MemoryDatabase.ts"
import * as MemoryRecords from "./MemoryRecords.ts"

/**
 * @category layers
 * @since 0.1.0
 */
export const layer: Layer.Layer<WebhookRepository, never, MemoryDatabase> = Layer.effect(
  WebhookRepository,
  Effect.gen(function* () {
    return WebhookRepository.of({ ...(yield* webhookRecords), ...(yield* webhookDeliveries) })
  })
).pipe(Layer.provide(MemoryRecords.layer))

/**
 * Rule service for webhooks (specification, section 12).
 */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { type Guarded, guarded } from "../caller/AccessGuard.ts"
import { CurrentCaller } from "../caller/Caller.ts"
import { IdGenerator, nextIds } from "../ids/IdGenerator.ts"
import type { ValidationFailed } from "../input/ValidationFailed.ts"
import { listPages } from "../lists/List.ts"
import type { List } from "../lists/Page.ts"
import type { OrganisationNotFound } from "../organisations/OrganisationErrors.ts"
import type { Records } from "../records/Records.ts"
import type { RepositoryError } from "../repositories/RepositoryError.ts"
import { fnWithSpan } from "../tracing/FnWithSpan.ts"
import type { ExpectedVersions, VersionMismatch } from "../versions/Version.ts"
import {
  type CreateWebhook,
  type IssuedWebhook,
  type ListWebhooks,
  type UpdateWebhook,
  type Webhook,
  WebhookId
} from "./Webhook.ts"
import { sendEvent, testEvent, webhookSender } from "./WebhookAttempt.ts"
import { type ListWebhookDeliveries, WebhookDelivery, WebhookDeliveryId } from "./WebhookDelivery.ts"
import {
  type DeliveryNotFound,
  type TooManyWebhooks,
  type WebhookAddressNotAllowed,
  WebhookNotFound
} from "./WebhookErrors.ts"
import { webhookOperations } from "./WebhookOperations.ts"
import { webhookSecretOverlapHours } from "./WebhookPolicy.ts"
import { webhookRecords } from "./WebhookRecords.ts"
import { generate } from "./WebhookSigning.ts"

/** Works in the organisation of the caller. */
export class Webhooks extends Context.Service<
  Webhooks,
  Guarded<{
    /** Creates a webhook. The secret is returned only here. */
    readonly create: (
      input: CreateWebhook
    ) => Effect.Effect<
      IssuedWebhook,
      WebhookAddressNotAllowed | OrganisationNotFound | TooManyWebhooks | RepositoryError,
      CurrentCaller
    >

    readonly get: (webhookId: WebhookId) => Effect.Effect<Webhook, WebhookNotFound | RepositoryError, CurrentCaller>

    /** Oldest first; complete without `limit`. */
    readonly list: (
      query?: ListWebhooks
    ) => Effect.Effect<List<Webhook>, ValidationFailed | RepositoryError, CurrentCaller>

    /**
     * Sets the given members; equal values change nothing. Events that happen while the webhook is
     * disabled are not sent to it.
     */
    readonly update: (
      webhookId: WebhookId,
      changes: UpdateWebhook,
      expectedVersions?: ExpectedVersions
    ) => Effect.Effect<
      Webhook,
      WebhookAddressNotAllowed | WebhookNotFound | VersionMismatch | RepositoryError,
      CurrentCaller
    >

    /** Deletes the webhook with its deliveries. */
    readonly delete: (
      webhookId: WebhookId,
      expectedVersions?: ExpectedVersions
    ) => Effect.Effect<void, WebhookNotFound | VersionMismatch | RepositoryError, CurrentCaller>

    /** Returns a new secret. The one before it signs, too, for `webhookSecretOverlapHours`. */
    readonly rotateSecret: (
      webhookId: WebhookId
    ) => Effect.Effect<IssuedWebhook, WebhookNotFound | RepositoryError, CurrentCaller>

    /** Sends an event `webhook.test` once, also to a disabled webhook, and returns its delivery. */
    readonly test: (
      webhookId: WebhookId
    ) => Effect.Effect<WebhookDelivery, WebhookNotFound | RepositoryError, CurrentCaller>

    /** Oldest first; complete without `limit`. */
    readonly listDeliveries: (
      webhookId: WebhookId,
      query?: ListWebhookDeliveries
    ) => Effect.Effect<List<WebhookDelivery>, ValidationFailed | WebhookNotFound | RepositoryError, CurrentCaller>

    /** Makes a delivery due at once, in any status. */
    readonly retry: (
      webhookId: WebhookId,
      deliveryId: WebhookDeliveryId
    ) => Effect.Effect<WebhookDelivery, WebhookNotFound | DeliveryNotFound | RepositoryError, CurrentCaller>
  }>
>()("@solar-sites/core/Webhooks") {
  /** Uses the `WebhookSender` of the context, if there is one. */
  static readonly layer: Layer.Layer<Webhooks, never, Records> = Layer.effect(
    Webhooks,
    Effect.gen(function* () {
      const commands = yield* webhookRecords
      const sender = yield* webhookSender
      const nextId = yield* nextIds
      const nextEventId = yield* IdGenerator

      const create = fnWithSpan("Webhooks.create")(function* (input: CreateWebhook) {
        const { organisationId } = yield* CurrentCaller
        yield* sender.check(input.url)
        const now = yield* DateTime.now
        const webhook = {
          id: WebhookId.make(yield* nextId),
          url: input.url,
          events: input.events,
          description: input.description ?? null,
          enabled: input.enabled ?? true,
          createdAt: now,
          updatedAt: now,
          version: 1
        }
        return yield* commands.insert(organisationId, webhook, yield* generate)
      })

      const get = fnWithSpan("Webhooks.get")(function* (webhookId: WebhookId) {
        const { organisationId } = yield* CurrentCaller
        const found = yield* commands.findById(organisationId, webhookId)
        if (Option.isNone(found)) return yield* new WebhookNotFound({ webhookId })
        return found.value
      })

      const list = fnWithSpan("Webhooks.list")(function* (query: ListWebhooks = {}) {
        const { organisationId } = yield* CurrentCaller
        return yield* listPages("webhooks", query, (page) => commands.list(organisationId, page))
      })

      const update = fnWithSpan("Webhooks.update")(function* (
        webhookId: WebhookId,
        { description, enabled, events, url }: UpdateWebhook,
        expectedVersions?: ExpectedVersions
      ) {
        const { organisationId } = yield* CurrentCaller
        const stored = yield* get(webhookId)
        // A stored address may be sent back, also when its name no longer resolves.
        if (url !== undefined && url !== stored.url) yield* sender.check(url)
        const changes = {
          ...(url === undefined ? {} : { url }),
          ...(events === undefined ? {} : { events }),
          ...(description === undefined ? {} : { description }),
          ...(enabled === undefined ? {} : { enabled })
        }
        return yield* commands.update(organisationId, webhookId, changes, {
          at: yield* DateTime.now,
          expectedVersions
        })
      })

      const remove = fnWithSpan("Webhooks.delete")(function* (
        webhookId: WebhookId,
        expectedVersions?: ExpectedVersions
      ) {
        const { organisationId } = yield* CurrentCaller
        yield* commands.delete(organisationId, webhookId, { at: yield* DateTime.now, expectedVersions })
      })

      const rotateSecret = fnWithSpan("Webhooks.rotateSecret")(function* (webhookId: WebhookId) {
        const { organisationId } = yield* CurrentCaller
        const at = yield* DateTime.now
        const rotation = {
          secret: yield* generate,
          at,
          previousUntil: DateTime.add(at, { hours: webhookSecretOverlapHours })
        }
        return yield* commands.rotateSecret(organisationId, webhookId, rotation)
      })

      const test = fnWithSpan("Webhooks.test")(function* (webhookId: WebhookId) {
        const { organisationId } = yield* CurrentCaller
        const at = yield* DateTime.now
        const signing = yield* commands.findSigning(organisationId, webhookId, at)
        if (Option.isNone(signing)) return yield* new WebhookNotFound({ webhookId })
        const { secrets, webhook } = signing.value
        const event = testEvent(yield* nextEventId, at, webhook)
        const outcome = yield* sendEvent(sender, { url: webhook.url, secrets }, event)
        const delivery = new WebhookDelivery({
          id: WebhookDeliveryId.make(yield* nextId),
          eventId: event.id,
          type: event.type,
          attempt: 1,
          status: outcome.error === null ? "delivered" : "failed",
          ...outcome,
          at,
          nextAttemptAt: null
        })
        return yield* commands.insertDelivery(organisationId, webhookId, delivery)
      })

      const listDeliveries = fnWithSpan("Webhooks.listDeliveries")(function* (
        webhookId: WebhookId,
        query: ListWebhookDeliveries = {}
      ) {
        const { organisationId } = yield* CurrentCaller
        yield* get(webhookId)
        return yield* listPages("webhook-deliveries", query, (page) =>
          commands.listDeliveries(organisationId, webhookId, page)
        )
      })

      const retry = fnWithSpan("Webhooks.retry")(function* (webhookId: WebhookId, deliveryId: WebhookDeliveryId) {
        const { organisationId } = yield* CurrentCaller
        return yield* commands.retry(organisationId, webhookId, deliveryId, yield* DateTime.now)
      })

      return Webhooks.of(
        guarded(webhookOperations, {
          create,
          get,
          list,
          update,
          delete: remove,
          rotateSecret,
          test,
          listDeliveries,
          retry
        })
      )
    })
  )
}

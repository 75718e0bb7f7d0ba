/**
 * Port for the delivery of events to webhooks, without a caller. Used by the worker only. Test an
 * implementation with `webhookQueueConformance` of `@solar-sites/testing`.
 */
import { Context, type DateTime, type Effect, type Option } from "effect"
import type { Event } from "../events/Event.ts"
import type { OrganisationId } from "../organisations/Organisation.ts"
import type { RepositoryError } from "../repositories/RepositoryError.ts"
import type { WebhookId } from "./Webhook.ts"
import type { WebhookDelivery, WebhookDeliveryId } from "./WebhookDelivery.ts"
import type { WebhookSecret } from "./WebhookSigning.ts"

export interface DueWebhook {
  readonly organisationId: OrganisationId
  readonly webhookId: WebhookId
}

/**
 * A claimed delivery. `event` is null for a test, and when the event is no longer kept. Retries end
 * some days after `createdAt`.
 */
export interface ClaimedDelivery {
  readonly delivery: WebhookDelivery
  readonly event: Event | null
  readonly createdAt: DateTime.Utc
}

/** Deliveries of one webhook under one claim. */
export interface WebhookClaim {
  readonly url: string
  readonly secrets: ReadonlyArray<WebhookSecret>
  readonly deliveries: ReadonlyArray<ClaimedDelivery>
}

/** The result of an attempt. `nextAttemptAt` is null unless the delivery stays pending. */
export interface AttemptResult {
  readonly claimedUntil: DateTime.Utc
  readonly at: DateTime.Utc
  readonly status: WebhookDelivery["status"]
  readonly responseStatus: number | null
  readonly error: string | null
  readonly nextAttemptAt: DateTime.Utc | null
}

/**
 * Safe for several instances: no event is delivered twice to a webhook, and no delivery is in two
 * claims at a time. Every method is one atomic step.
 */
export class WebhookQueue extends Context.Service<
  WebhookQueue,
  {
    /**
     * At most `limit` organisations with an enabled webhook that is behind the last event.
     */
    readonly findUndispatched: (limit: number) => Effect.Effect<ReadonlyArray<OrganisationId>, RepositoryError>

    /**
     * Creates a delivery, due at `at`, of each event that matches an enabled webhook, and moves the
     * position of the webhook. Reads at most `limit` events per webhook. A webhook gets no further
     * deliveries while it has the maximum of pending ones. Returns the number of moved webhooks.
     */
    readonly dispatch: (
      organisationId: OrganisationId,
      options: { readonly at: DateTime.Utc; readonly limit: number }
    ) => Effect.Effect<number, RepositoryError>

    /** At most `limit` webhooks with a delivery due at `now`; the longest unclaimed webhooks first. */
    readonly findDue: (options: {
      readonly now: DateTime.Utc
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<DueWebhook>, RepositoryError>

    /**
     * Claims deliveries of the webhook that are due at `now`, the longest due first, and of those that
     * are due at one instant the least ids; only one while the last attempts of the webhook failed. An unsettled claim is due again at `claimedUntil`.
     * Due deliveries of a disabled webhook fail instead. None when nothing was claimed.
     */
    readonly claim: (
      organisationId: OrganisationId,
      webhookId: WebhookId,
      claim: { readonly now: DateTime.Utc; readonly claimedUntil: DateTime.Utc; readonly limit: number }
    ) => Effect.Effect<Option.Option<WebhookClaim>, RepositoryError>

    /** Stores the result of an attempt, unless the delivery is no longer under its claim. */
    readonly settle: (
      organisationId: OrganisationId,
      webhookId: WebhookId,
      deliveryId: WebhookDeliveryId,
      result: AttemptResult
    ) => Effect.Effect<void, RepositoryError>

    /** The creation of the oldest pending delivery of an enabled webhook. */
    readonly oldestPending: Effect.Effect<Option.Option<DateTime.Utc>, RepositoryError>

    /** At most `limit` organisations with webhooks and with ids greater than `after`, in order. */
    readonly findOrganisations: (page: {
      readonly after: OrganisationId | null
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<OrganisationId>, RepositoryError>

    /**
     * Removes at most `limit` deliveries that ended before `before`, or that are not among the
     * latest `keep` of their webhook that ended. Returns their number.
     */
    readonly purge: (
      organisationId: OrganisationId,
      options: { readonly before: DateTime.Utc; readonly keep: number; readonly limit: number }
    ) => Effect.Effect<number, RepositoryError>
  }
>()("@solar-sites/core/WebhookQueue") {}

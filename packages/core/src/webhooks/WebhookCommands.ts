/**
 * Commands about webhooks and their deliveries. Each is one atomic step within the given organisation, decided by
 * rules over `Records`.
 */
import type { DateTime, Effect, Option } from "effect"
import type { Page, PageRequest } from "../lists/Page.ts"
import type { OrganisationId } from "../organisations/Organisation.ts"
import type { OrganisationNotFound } from "../organisations/OrganisationErrors.ts"
import type { RepositoryError } from "../repositories/RepositoryError.ts"
import type { ChangeOptions, ExpectedVersions, VersionMismatch } from "../versions/Version.ts"
import type { IssuedWebhook, Webhook, WebhookId } from "./Webhook.ts"
import type { WebhookDelivery, WebhookDeliveryId } from "./WebhookDelivery.ts"
import type { DeliveryNotFound, TooManyWebhooks, WebhookNotFound } from "./WebhookErrors.ts"
import type { WebhookSecret } from "./WebhookSigning.ts"

/** Members to set; an absent one keeps its value. */
export type WebhookChanges = Partial<Pick<Webhook, "url" | "events" | "description" | "enabled">>

/** A webhook with the secrets that sign at an instant, the newest first. */
export interface SigningWebhook {
  readonly webhook: Webhook
  readonly secrets: ReadonlyArray<WebhookSecret>
}

/** The commands that change a webhook write its event. */
export interface WebhookCommands {
  /**
   * Stores a new webhook and returns it. It begins after the last event of the organisation.
   * Refused when the organisation has `maximumWebhooks`, also with concurrent inserts. When the
   * organisation already has a webhook with this id, nothing changes, and the stored webhook and
   * its newest secret are returned.
   */
  readonly insert: (
    organisationId: OrganisationId,
    webhook: Omit<Webhook, "lastDelivery">,
    secret: WebhookSecret
  ) => Effect.Effect<IssuedWebhook, OrganisationNotFound | TooManyWebhooks | RepositoryError>

  readonly findById: (
    organisationId: OrganisationId,
    webhookId: WebhookId
  ) => Effect.Effect<Option.Option<Webhook>, RepositoryError>

  /** A page in ascending order of id (oldest first). */
  readonly list: (
    organisationId: OrganisationId,
    page: PageRequest<WebhookId>
  ) => Effect.Effect<Page<Webhook>, RepositoryError>

  /**
   * Sets the given members and increments the version; changes nothing when all values are equal.
   * A webhook that becomes enabled begins after the last event of the organisation. A new address
   * and a webhook that becomes enabled have no failures yet.
   */
  readonly update: (
    organisationId: OrganisationId,
    webhookId: WebhookId,
    changes: WebhookChanges,
    options: ChangeOptions
  ) => Effect.Effect<Webhook, WebhookNotFound | VersionMismatch | RepositoryError>

  /** Deletes the webhook with its deliveries. */
  readonly delete: (
    organisationId: OrganisationId,
    webhookId: WebhookId,
    options: { readonly at: DateTime.Utc; readonly expectedVersions?: ExpectedVersions }
  ) => Effect.Effect<void, WebhookNotFound | VersionMismatch | RepositoryError>

  /**
   * Adds a secret and increments the version. The newest secret before it signs until
   * `previousUntil`. The two newest are kept (`WebhookSigning.maximumSecrets`).
   */
  readonly rotateSecret: (
    organisationId: OrganisationId,
    webhookId: WebhookId,
    rotation: { readonly secret: WebhookSecret; readonly at: DateTime.Utc; readonly previousUntil: DateTime.Utc }
  ) => Effect.Effect<IssuedWebhook, WebhookNotFound | RepositoryError>

  /** The webhook, with the secrets that sign at `at`. */
  readonly findSigning: (
    organisationId: OrganisationId,
    webhookId: WebhookId,
    at: DateTime.Utc
  ) => Effect.Effect<Option.Option<SigningWebhook>, RepositoryError>

  /** A page of the deliveries of a webhook, in ascending order of id (oldest first). */
  readonly listDeliveries: (
    organisationId: OrganisationId,
    webhookId: WebhookId,
    page: PageRequest<WebhookDeliveryId>
  ) => Effect.Effect<Page<WebhookDelivery>, RepositoryError>

  /** Stores the ended delivery of a test. A delivered one ends the failures of the webhook. */
  readonly insertDelivery: (
    organisationId: OrganisationId,
    webhookId: WebhookId,
    delivery: WebhookDelivery
  ) => Effect.Effect<WebhookDelivery, WebhookNotFound | RepositoryError>

  /** Makes a delivery due at `at`, in any status; not while an attempt is claimed. */
  readonly retry: (
    organisationId: OrganisationId,
    webhookId: WebhookId,
    deliveryId: WebhookDeliveryId,
    at: DateTime.Utc
  ) => Effect.Effect<WebhookDelivery, WebhookNotFound | DeliveryNotFound | RepositoryError>

  /**
   * Disables the enabled webhooks with a failed attempt at `failingSince` or earlier and no
   * success since. Returns their ids.
   */
  readonly disableFailing: (
    organisationId: OrganisationId,
    options: { readonly at: DateTime.Utc; readonly failingSince: DateTime.Utc }
  ) => Effect.Effect<ReadonlyArray<WebhookId>, RepositoryError>
}

/**
 * Setup of the cases about webhooks.
 */
import {
  type EventRepository,
  type OrganisationId,
  type OrganisationRepository,
  type Records,
  type SiteRepository,
  type Webhook,
  WebhookQueue,
  WebhookSigning,
  webhookRecords
} from "@solar-sites/core"
import { DateTime, Effect, Redacted } from "effect"
import { aWebhook } from "../fixtures.ts"
import { changedAt, insertOrganisation, insertSite } from "./Setup.ts"

/** Ports of the cases about webhooks. */
export type WebhookPorts = OrganisationRepository | Records | SiteRepository | EventRepository | WebhookQueue

/** An instant some seconds after `changedAt`. */
export const second = (count: number): DateTime.Utc => DateTime.add(changedAt, { seconds: count })

/** Inserts a webhook into the organisation. Returns it with its secret as text. */
export const insertWebhook = Effect.fnUntraced(function* (
  organisationId: OrganisationId,
  overrides?: Partial<Webhook>
) {
  const secret = yield* WebhookSigning.generate
  const issued = yield* (yield* webhookRecords).insert(organisationId, aWebhook(overrides), secret)
  return { organisationId, webhook: issued.webhook, secret: Redacted.value(issued.secret) }
})

/** A webhook in an organisation of its own. */
export const webhookInOwnOrganisation = Effect.fnUntraced(function* (overrides?: Partial<Webhook>) {
  return yield* insertWebhook(yield* insertOrganisation(), overrides)
})

export type Hook = Effect.Success<ReturnType<typeof insertWebhook>>

/** All deliveries of the webhook, oldest first. */
export const deliveriesOf = Effect.fnUntraced(function* ({ organisationId, webhook }: Hook) {
  const page = { after: null, limit: 1_000 }
  return (yield* (yield* webhookRecords).listDeliveries(organisationId, webhook.id, page)).items
})

/** Writes events by new sites. */
export const writeEvents = (organisationId: OrganisationId, count: number) =>
  Effect.forEach(Array.from({ length: count }), () => insertSite(organisationId))

/** Creates the deliveries of all events, due at the instant. */
export const dispatchAll = Effect.fnUntraced(function* (organisationId: OrganisationId, at: DateTime.Utc) {
  const { dispatch } = yield* WebhookQueue
  while ((yield* dispatch(organisationId, { at, limit: 100 })) > 0) {}
})

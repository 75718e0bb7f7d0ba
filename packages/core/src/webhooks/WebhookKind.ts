/**
 * Webhooks as records.
 */
import { DateTime, Schema } from "effect"
import type { EventType } from "../events/EventType.ts"
import { OrganisationId } from "../organisations/Organisation.ts"
import { eventAbout } from "../records/EventAbout.ts"
import { recordKind } from "../records/RecordKind.ts"
import { shownUrl, Webhook } from "./Webhook.ts"
import { maximumWebhooks } from "./WebhookPolicy.ts"
import { label as secretLabel, type WebhookSecret } from "./WebhookSigning.ts"

const StoredSecret = Schema.Struct({
  secret: Schema.Redacted(Schema.String, { label: secretLabel }),
  until: Schema.NullOr(Schema.DateTimeUtcFromString)
})

/**
 * A stored webhook. `secrets` are the newest first; one signs until `until`, without end when that is null.
 * `dispatchedSequence` is the last event that the webhook has deliveries of, `failingSince` the first
 * failed attempt after the last success, and `claimedAt` the last claim.
 */
export class WebhookRecord extends Schema.Class<WebhookRecord>("@solar-sites/core/WebhookRecord")({
  ...Webhook.fields,
  organisationId: OrganisationId,
  secrets: Schema.Array(StoredSecret),
  dispatchedSequence: Schema.Int,
  failingSince: Schema.NullOr(Schema.DateTimeUtcFromString),
  claimedAt: Schema.NullOr(Schema.DateTimeUtcFromString)
}) {}

export const webhooks = "webhooks"

export const webhookKind = recordKind("webhook", WebhookRecord, {
  references: [{ member: "organisationId", kind: "organisation" }],
  bounds: [{ name: webhooks, maximum: maximumWebhooks, holds: () => true }],
  computed: ["lastDelivery"]
})

/** The secrets that sign at an instant. */
export const signingSecrets = (secrets: WebhookRecord["secrets"], at: DateTime.Utc): ReadonlyArray<WebhookSecret> =>
  secrets.filter(({ until }) => until === null || DateTime.isGreaterThan(until, at)).map(({ secret }) => secret)

type Shown = Pick<Webhook, "id" | "url" | "events" | "description" | "enabled">

const about = eventAbout<Shown>(["url", "events", "description", "enabled"], ({ id, url }) => ({
  subjectId: id,
  subjectName: url,
  siteId: null
}))

const shown = (state: Shown | null): Shown | null => state && { ...state, url: shownUrl(state.url) }

/** An event about a change of a webhook. Null is the state before its creation or after its deletion. */
export const webhookEvent = (type: EventType, before: Shown | null, after: Shown | null) =>
  about(type, shown(before), shown(after))

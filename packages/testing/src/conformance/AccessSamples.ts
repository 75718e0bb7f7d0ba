/**
 * Samples of API keys, webhooks and deliveries.
 */
import {
  ApiKeyId,
  ApiKeyRecord,
  type ApiKeySecret,
  makeUnchecked,
  UserId,
  WebhookDeliveryId,
  WebhookDeliveryRecord,
  WebhookId,
  WebhookRecord
} from "@solar-sites/core"
import { DateTime } from "effect"
import { anApiKey, aWebhook, aWebhookDelivery } from "../fixtures.ts"
import { farFuture } from "./DocumentSetup.ts"
import { type RecordSample, sampleSecret as secret } from "./RecordOwner.ts"
import { changedAgainAt, changedAt } from "./Setup.ts"

const unchecked = { disableChecks: true } as const

/** A digest that is derived from an id. */
const digestOf = (text: string) =>
  // 64 hexadecimal digits.
  text.replaceAll("-", "").repeat(2) as ApiKeySecret.ApiKeyDigest

export const apiKey: RecordSample<ApiKeyRecord> = {
  full: ({ organisationId, portfolioId }, id) =>
    makeUnchecked(ApiKeyRecord, {
      ...anApiKey({
        id: ApiKeyId.make(id, unchecked),
        organisationId,
        prefix: "sk_full",
        createdBy: UserId.make("auth0|o'hara"),
        expiresAt: farFuture,
        lastUsedAt: changedAt,
        scopes: ["documents:approve", "sites:read"],
        portfolioIds: [portfolioId]
      }),
      digest: digestOf(id),
      issuedUntil: DateTime.add(farFuture, { milliseconds: 1 })
    }),
  plain: ({ organisationId }, id) =>
    makeUnchecked(ApiKeyRecord, {
      ...anApiKey({
        id: ApiKeyId.make(id, unchecked),
        organisationId,
        name: "Other",
        prefix: "sk_plain",
        expiresAt: changedAt
      }),
      digest: digestOf([...id].toReversed().join("")),
      issuedUntil: changedAt
    }),
  texts: ["name", "createdBy"]
}

export const webhook: RecordSample<WebhookRecord> = {
  full: ({ organisationId }, id) =>
    makeUnchecked(WebhookRecord, {
      ...aWebhook({
        id: WebhookId.make(id, unchecked),
        url: "https://example.com/full?token=a#b",
        events: ["document.*", "site.deleted"],
        description: "Höhenfeld",
        enabled: false,
        updatedAt: changedAt,
        version: 2_000_000_000
      }),
      organisationId,
      secrets: [
        { secret, until: null },
        { secret, until: farFuture }
      ],
      dispatchedSequence: Number.MAX_SAFE_INTEGER,
      failingSince: changedAt,
      claimedAt: changedAgainAt
    }),
  plain: ({ organisationId }, id) =>
    makeUnchecked(WebhookRecord, {
      ...aWebhook({ id: WebhookId.make(id, unchecked) }),
      organisationId,
      secrets: [{ secret, until: null }],
      dispatchedSequence: 0,
      failingSince: null,
      claimedAt: null
    }),
  texts: ["description", "url"]
}

export const delivery: RecordSample<WebhookDeliveryRecord> = {
  full: ({ organisationId, webhookId }, id) =>
    makeUnchecked(WebhookDeliveryRecord, {
      ...aWebhookDelivery({
        id: WebhookDeliveryId.make(id, unchecked),
        eventId: "0193e6f4-1c2d-7a3b-8c4d-5e6f70819001",
        type: "site.created",
        attempt: 2_147_483_647,
        status: "pending",
        responseStatus: 599,
        error: "The receiver answered 599.",
        at: changedAt,
        nextAttemptAt: farFuture
      }),
      organisationId,
      webhookId,
      eventSequence: Number.MAX_SAFE_INTEGER,
      createdAt: changedAt,
      claimedUntil: farFuture
    }),
  plain: ({ organisationId, webhookId }, id) =>
    makeUnchecked(WebhookDeliveryRecord, {
      ...aWebhookDelivery({
        id: WebhookDeliveryId.make(id, unchecked),
        eventId: "0193e6f4-1c2d-7a3b-8c4d-5e6f70819002",
        responseStatus: null
      }),
      organisationId,
      webhookId,
      eventSequence: null,
      createdAt: changedAt,
      claimedUntil: null
    }),
  fixed: ["webhookId"],
  together: [["status", "nextAttemptAt"]],
  texts: ["error"]
}

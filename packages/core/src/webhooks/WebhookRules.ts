/**
 * Rules of webhooks as pure functions: records and a command in, a change or a refusal out.
 */
import { DateTime, Equal, Result } from "effect"
import type { EventOrigin } from "../events/EventOrigin.ts"
import type { OrganisationId } from "../organisations/Organisation.ts"
import { OrganisationNotFound } from "../organisations/OrganisationErrors.ts"
import type { Decision } from "../records/Deciding.ts"
import type { Found } from "../records/Found.ts"
import { makeUnchecked } from "../records/MakeUnchecked.ts"
import { organisationReference } from "../records/OrganisationReference.ts"
import type { Find, Stored } from "../records/RecordKind.ts"
import { type ExpectedVersions, isExpected, VersionMismatch } from "../versions/Version.ts"
import { type IssuedWebhook, Webhook, type WebhookId } from "./Webhook.ts"
import type { WebhookChanges } from "./WebhookCommands.ts"
import { TooManyWebhooks, WebhookNotFound } from "./WebhookErrors.ts"
import { WebhookRecord, webhookEvent, webhookKind, webhooks } from "./WebhookKind.ts"
import { maximumWebhooks } from "./WebhookPolicy.ts"
import { maximumSecrets, type WebhookSecret } from "./WebhookSigning.ts"

/** The webhook of a record. */
export const webhookOf = ({
  organisationId: _organisationId,
  secrets: _secrets,
  dispatchedSequence: _sequence,
  failingSince: _failingSince,
  claimedAt: _claimedAt,
  ...members
}: WebhookRecord): Webhook => makeUnchecked(Webhook, members)

const changed = (record: WebhookRecord, members: Partial<WebhookRecord>, at: DateTime.Utc): WebhookRecord =>
  makeUnchecked(WebhookRecord, { ...record, ...members, updatedAt: at, version: record.version + 1 })

/** A new webhook with its secret. */
export interface WebhookCreation {
  readonly organisationId: OrganisationId
  readonly webhook: Omit<Webhook, "lastDelivery">
  readonly secret: WebhookSecret
}

/** The records that `createWebhook` reads. */
export const findsOfCreation = ({ organisationId, webhook }: WebhookCreation): ReadonlyArray<Find> => [
  { kind: organisationReference, by: "id", values: [organisationId] },
  { kind: webhookKind, by: "id", values: [webhook.id] }
]

/**
 * Stores a new webhook, which begins after the last event. A webhook that is stored under its id is the
 * answer, with its newest secret.
 */
export const createWebhook =
  ({ organisationId, secret, webhook }: WebhookCreation, origin: EventOrigin) =>
  (found: Found): Result.Result<Decision<IssuedWebhook>, OrganisationNotFound | TooManyWebhooks> => {
    if (found.byId(organisationReference, organisationId) === null) {
      return Result.fail(new OrganisationNotFound({ organisationId }))
    }
    const there = found.byId(webhookKind, webhook.id)?.record
    if (there !== undefined) {
      const [newest] = there.secrets
      return Result.succeed({
        answer: { webhook: webhookOf(there), secret: newest?.secret ?? secret },
        change: null
      })
    }
    if (found.isFull(webhooks)) return Result.fail(new TooManyWebhooks({ maximum: maximumWebhooks }))
    const after = makeUnchecked(WebhookRecord, {
      ...webhook,
      organisationId,
      lastDelivery: null,
      secrets: [{ secret, until: null }],
      dispatchedSequence: found.lastSequence,
      failingSince: null,
      claimedAt: null
    })
    return Result.succeed({
      answer: { webhook: webhookOf(after), secret },
      change: {
        writes: [{ kind: webhookKind, id: webhook.id, before: null, after }],
        events: [webhookEvent("webhook.created", null, after)],
        origin,
        at: webhook.createdAt
      }
    })
  }

/** The record that a rule of one webhook reads. */
export const findsOfWebhook = (webhookId: WebhookId): ReadonlyArray<Find> => [
  { kind: webhookKind, by: "id", values: [webhookId] }
]

const updated = (before: Stored<WebhookRecord>, after: WebhookRecord, origin: EventOrigin) => ({
  writes: [{ kind: webhookKind, id: after.id, before, after }],
  events: [webhookEvent("webhook.updated", before.record, after)],
  origin,
  at: after.updatedAt
})

/** A change of a webhook, by a caller who expects one of the versions. */
export interface WebhookUpdate {
  readonly webhookId: WebhookId
  readonly changes: WebhookChanges
  readonly at: DateTime.Utc
  readonly expectedVersions?: ExpectedVersions
}

/**
 * Sets the members of a webhook. One that becomes enabled begins after the last event. It has no failures
 * yet, and neither has a new address.
 */
export const updateWebhook =
  ({ at, changes, expectedVersions, webhookId }: WebhookUpdate, origin: EventOrigin) =>
  (found: Found): Result.Result<Decision<Webhook>, WebhookNotFound | VersionMismatch> => {
    const before = found.byId(webhookKind, webhookId)
    if (before === null) return Result.fail(new WebhookNotFound({ webhookId }))
    const { record } = before
    if (!isExpected(expectedVersions, record.version)) {
      return Result.fail(new VersionMismatch({ actual: record.version }))
    }
    const next = { ...record, ...changes }
    if (Equal.equals({ ...record }, next)) return Result.succeed({ answer: webhookOf(record), change: null })
    const isEnabledAgain = next.enabled && !record.enabled
    const hasNoFailures = isEnabledAgain || next.url !== record.url
    const members = {
      ...changes,
      ...(isEnabledAgain && { dispatchedSequence: Math.max(record.dispatchedSequence, found.lastSequence) }),
      ...(hasNoFailures && { failingSince: null })
    }
    const after = changed(record, members, at)
    return Result.succeed({ answer: webhookOf(after), change: updated(before, after, origin) })
  }

/** The deletion of a webhook, by a caller who expects one of the versions. */
export type WebhookDeletion = Omit<WebhookUpdate, "changes">

/** Deletes a webhook. Its deliveries go with it. */
export const deleteWebhook =
  ({ at, expectedVersions, webhookId }: WebhookDeletion, origin: EventOrigin) =>
  (found: Found): Result.Result<Decision<void>, WebhookNotFound | VersionMismatch> => {
    const before = found.byId(webhookKind, webhookId)
    if (before === null) return Result.fail(new WebhookNotFound({ webhookId }))
    const { record } = before
    if (!isExpected(expectedVersions, record.version)) {
      return Result.fail(new VersionMismatch({ actual: record.version }))
    }
    return Result.succeed({
      answer: undefined,
      change: {
        writes: [{ kind: webhookKind, id: webhookId, before, after: null }],
        events: [webhookEvent("webhook.deleted", record, null)],
        origin,
        at
      }
    })
  }

/** A new secret. The newest one before it signs until `previousUntil`. */
export interface SecretRotation {
  readonly webhookId: WebhookId
  readonly secret: WebhookSecret
  readonly at: DateTime.Utc
  readonly previousUntil: DateTime.Utc
}

/** Adds a secret, and keeps the newest ones. */
export const rotateSecret =
  ({ at, previousUntil, secret, webhookId }: SecretRotation, origin: EventOrigin) =>
  (found: Found): Result.Result<Decision<IssuedWebhook>, WebhookNotFound> => {
    const before = found.byId(webhookKind, webhookId)
    if (before === null) return Result.fail(new WebhookNotFound({ webhookId }))
    const { record } = before
    const previous = record.secrets.map((one, index) => (index === 0 ? { ...one, until: previousUntil } : one))
    const secrets = [{ secret, until: null }, ...previous].slice(0, maximumSecrets)
    const after = changed(record, { secrets }, at)
    return Result.succeed({ answer: { webhook: webhookOf(after), secret }, change: updated(before, after, origin) })
  }

/** The webhooks of an organisation that have failed since an instant or longer. */
export interface FailingWebhooks {
  readonly organisationId: OrganisationId
  readonly at: DateTime.Utc
  readonly failingSince: DateTime.Utc
}

/** The records that `disableFailingWebhooks` reads: all webhooks of the organisation. */
export const findsOfFailing = ({ organisationId }: FailingWebhooks): ReadonlyArray<Find> => [
  { kind: webhookKind, by: "organisationId", values: [organisationId] }
]

/** Disables the enabled webhooks that have failed for long enough, and answers their ids. */
export const disableFailingWebhooks =
  ({ at, failingSince, organisationId }: FailingWebhooks, origin: EventOrigin) =>
  (found: Found): Result.Result<Decision<ReadonlyArray<WebhookId>>> => {
    const all = found.all(webhookKind, "organisationId", organisationId)
    const failing = all.filter(
      ({ record: { enabled, failingSince: since } }) =>
        enabled && since !== null && DateTime.isLessThanOrEqualTo(since, failingSince)
    )
    if (failing.length === 0) return Result.succeed({ answer: [], change: null })
    const writes = failing.map((before) => {
      const after = changed(before.record, { enabled: false }, at)
      return { kind: webhookKind, id: after.id, before, after }
    })
    return Result.succeed({
      answer: writes.map(({ id }) => id),
      change: {
        writes,
        events: writes.map(({ after, before }) => webhookEvent("webhook.disabled", before.record, after)),
        origin,
        at,
        mayChange: all.map(({ record }) => record.id)
      }
    })
  }

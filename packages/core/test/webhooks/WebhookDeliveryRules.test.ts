import { describe, expect, it } from "@effect/vitest"
import { anOrganisationId, aWebhook, aWebhookDelivery } from "@solar-sites/testing"
import { DateTime, Result } from "effect"
import { EventId } from "../../src/events/Event.ts"
import { foundOf } from "../../src/records/Found.ts"
import { Revision } from "../../src/records/RecordKind.ts"
import { WebhookDeliveryRecord, webhookDeliveryKind, webhookReference } from "../../src/webhooks/WebhookDeliveryKind.ts"
import { retryDelivery, storeTestDelivery } from "../../src/webhooks/WebhookDeliveryRules.ts"
import { DeliveryNotFound, WebhookNotFound } from "../../src/webhooks/WebhookErrors.ts"
import { WebhookRecord, webhookKind } from "../../src/webhooks/WebhookKind.ts"

const organisationId = anOrganisationId()
const at = DateTime.makeUnsafe("2026-06-01T12:00:00Z")
const before = DateTime.subtract(at, { minutes: 1 })
const actor = { userId: null, apiKeyId: null, keyPrefix: null }
const origin = { id: EventId.make(organisationId), occurredAt: at, actor, requestId: null }
const revision = Revision("1")

const webhookOf = (failingSince: DateTime.Utc | null) =>
  new WebhookRecord({
    ...aWebhook(),
    organisationId,
    secrets: [],
    dispatchedSequence: 0,
    failingSince,
    claimedAt: null
  })
const webhook = webhookOf(before)
const withWebhook = (record: WebhookRecord) =>
  foundOf([{ find: { kind: webhookKind, by: "id", values: [] }, stored: [{ record, revision }] }])

describe("storeTestDelivery", () => {
  const rule = (delivery: ReturnType<typeof aWebhookDelivery>, webhookId = webhook.id) =>
    storeTestDelivery({ organisationId, webhookId, delivery }, origin)

  it("stores a delivered one without an event, and ends the failures of the webhook", () => {
    const delivery = aWebhookDelivery({ at })
    const { answer, change } = Result.getOrThrow(rule(delivery)(withWebhook(webhook)))
    expect(answer).toEqual(delivery)
    expect(change?.events).toEqual([])
    const [ended, stored] = change?.writes ?? []
    expect(ended?.after).toMatchObject({ id: webhook.id, failingSince: null, version: webhook.version })
    const hidden = { organisationId, webhookId: webhook.id, eventSequence: null, createdAt: at, claimedUntil: null }
    expect({ ...stored?.after }).toEqual({ ...delivery, ...hidden })
  })

  it("leaves the webhook as it is after a failure, and without failures", () => {
    for (const [record, status] of [
      [webhook, "failed"],
      [webhookOf(null), "delivered"]
    ] as const) {
      const { change } = Result.getOrThrow(rule(aWebhookDelivery({ status }), record.id)(withWebhook(record)))
      expect(change?.writes.map(({ kind }) => kind)).toEqual([webhookDeliveryKind])
      expect(change?.mayChange).toEqual([record.id])
    }
  })

  it("refuses an absent webhook", () => {
    expect(rule(aWebhookDelivery())(foundOf([]))).toEqual(Result.fail(new WebhookNotFound({ webhookId: webhook.id })))
  })
})

describe("retryDelivery", () => {
  const recordOf = (members: Partial<WebhookDeliveryRecord>) =>
    new WebhookDeliveryRecord({
      ...aWebhookDelivery({ at: before }),
      organisationId,
      webhookId: webhook.id,
      eventSequence: 1,
      createdAt: before,
      claimedUntil: null,
      ...members
    })
  const foundWith = (...stored: ReadonlyArray<WebhookDeliveryRecord>) =>
    foundOf([
      { find: { kind: webhookReference, by: "id", values: [] }, stored: [{ record: { id: webhook.id }, revision }] },
      {
        find: { kind: webhookDeliveryKind, by: "id", values: [] },
        stored: stored.map((record) => ({ record, revision }))
      }
    ])
  const retry = ({ id: deliveryId }: WebhookDeliveryRecord) =>
    retryDelivery({ webhookId: webhook.id, deliveryId, at }, origin)

  it("makes a delivery due in any status, also when its claim has ended", () => {
    for (const record of [
      recordOf({}),
      recordOf({ status: "failed" }),
      recordOf({ status: "pending", nextAttemptAt: before, claimedUntil: at })
    ]) {
      const { answer, change } = Result.getOrThrow(retry(record)(foundWith(record)))
      expect(answer).toMatchObject({ id: record.id, status: "pending", nextAttemptAt: at, at: before })
      expect(change?.writes.map(({ after }) => ({ ...after }))).toEqual([
        { ...record, status: "pending", nextAttemptAt: at }
      ])
    }
  })

  it("answers a delivery with a claimed attempt, unchanged", () => {
    const claimedUntil = DateTime.add(at, { milliseconds: 1 })
    const record = recordOf({ status: "pending", nextAttemptAt: claimedUntil, claimedUntil })
    const { answer, change } = Result.getOrThrow(retry(record)(foundWith(record)))
    expect(change).toBeNull()
    expect(answer).toMatchObject({ nextAttemptAt: claimedUntil })
    expect(answer).not.toHaveProperty("claimedUntil")
  })

  it("refuses in the order webhook, delivery, and a delivery of another webhook", () => {
    const record = recordOf({})
    const missing = Result.fail(new DeliveryNotFound({ deliveryId: record.id }))
    expect(retry(record)(foundOf([]))).toEqual(Result.fail(new WebhookNotFound({ webhookId: webhook.id })))
    expect(retry(record)(foundWith())).toEqual(missing)
    expect(retry(record)(foundWith(recordOf({ id: record.id, webhookId: aWebhook().id })))).toEqual(missing)
  })
})

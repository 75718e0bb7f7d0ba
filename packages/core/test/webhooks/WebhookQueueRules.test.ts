import {
  EventId,
  makeUnchecked,
  numberedEvents,
  OrganisationId,
  WebhookDeliveryRecord,
  WebhookRecord,
  WebhookSigning,
  webhookDeliveryKind,
  webhookKind
} from "@solar-sites/core"
import { anOrganisationId, aSite, aWebhook, aWebhookDelivery } from "@solar-sites/testing"
import { DateTime } from "effect"
import { expect, it } from "vitest"
import {
  claimDeliveries,
  dispatchEvents,
  purgeDeliveries,
  settleDelivery
} from "../../src/webhooks/WebhookQueueRules.ts"
import { load, storeOf } from "../documents/recordStore.ts"

const organisationId = OrganisationId.make(anOrganisationId())
const at = (seconds: number) => DateTime.makeUnsafe(seconds * 1_000)
const webhook = (members: Partial<WebhookRecord> = {}) =>
  makeUnchecked(WebhookRecord, {
    ...aWebhook({ events: ["site.*"] }),
    organisationId,
    secrets: [{ secret: WebhookSigning.fromText("whsec_a"), until: null }],
    dispatchedSequence: 0,
    failingSince: null,
    claimedAt: null,
    ...members
  })
const hook = webhook()
const delivery = (members: Partial<WebhookDeliveryRecord> = {}) =>
  makeUnchecked(WebhookDeliveryRecord, {
    ...aWebhookDelivery({ status: "pending", nextAttemptAt: at(0) }),
    organisationId,
    webhookId: hook.id,
    eventSequence: 1,
    createdAt: at(0),
    claimedUntil: null,
    ...members
  })
const found = (one: WebhookRecord, deliveries: ReadonlyArray<WebhookDeliveryRecord> = []) =>
  load(storeOf({ webhook: [one], webhook_delivery: deliveries }), [
    { kind: webhookKind, by: "id", values: [one.id] },
    { kind: webhookKind, by: "organisationId", values: [organisationId] },
    { kind: webhookDeliveryKind, by: "webhookId", values: [one.id] },
    { kind: webhookDeliveryKind, by: "id", values: deliveries.map(({ id }) => id) }
  ])

const origin = {
  id: EventId.make(aSite().id),
  occurredAt: at(0),
  actor: { userId: null, apiKeyId: null, keyPrefix: null },
  requestId: null
}
const anEvent = (type: "site.created" | "portfolio.created") => ({
  ...{ type, subjectId: aSite().id, subjectName: null, siteId: null, changes: {} }
})
const events = numberedEvents([anEvent("site.created"), anEvent("portfolio.created")], origin, {
  sequence: 0,
  occurredAt: null
})

it("a webhook gets the events that match it, and moves behind all that were read", () => {
  const dispatch = (one: WebhookRecord, after = 0) =>
    dispatchEvents(organisationId, [{ webhookId: one.id, after, events }], { at: at(5), firstId: aSite().id })(
      found(one)
    )
  const { answer, writes } = dispatch(hook)
  expect(answer).toBe(1)
  expect(writes.map(({ after }) => after)).toMatchObject([
    { id: hook.id, dispatchedSequence: 2 },
    { webhookId: hook.id, type: "site.created", status: "pending", eventSequence: 1, nextAttemptAt: at(5) }
  ])
  expect(dispatch(webhook({ enabled: false }))).toEqual({ answer: 0, writes: [] })
  expect(dispatch(hook, 1)).toEqual({ answer: 0, writes: [] })
})

it("due deliveries are claimed, the longest due first, and one at a time while attempts fail", () => {
  const all = [
    delivery({ nextAttemptAt: at(3) }),
    delivery({ nextAttemptAt: at(2) }),
    delivery({ nextAttemptAt: at(9) })
  ]
  const claim = (one: WebhookRecord) =>
    claimDeliveries(one.id, { now: at(5), claimedUntil: at(25), limit: 4 })(found(one, all))
  expect(claim(hook).answer?.deliveries.map(({ id }) => id)).toEqual([all[1]?.id, all[0]?.id])
  expect(claim(hook).writes.map(({ after }) => after)).toMatchObject([
    { claimedAt: at(5) },
    { claimedUntil: at(25), nextAttemptAt: at(25) },
    { claimedUntil: at(25) }
  ])
  const failing = { ...hook, failingSince: at(1) }
  expect(claim(failing).answer?.deliveries.length).toBe(1)
  const { answer, writes } = claim({ ...hook, enabled: false })
  expect(answer).toBeNull()
  expect(writes.slice(1).map(({ after }) => after)).toMatchObject([{ status: "failed" }, { status: "failed" }])
})

it("a result counts under its claim alone, and tells since when attempts fail", () => {
  const claimed = delivery({ claimedUntil: at(25), attempt: 1 })
  const result = { at: at(6), status: "pending", responseStatus: 500, error: "no", nextAttemptAt: at(60) } as const
  const settle = (claimedUntil: DateTime.Utc, status: "pending" | "delivered" = "pending") =>
    settleDelivery(hook.id, claimed.id, { ...result, status, claimedUntil })(found(hook, [claimed])).writes
  expect(settle(at(24))).toEqual([])
  expect(settle(at(25)).map(({ after }) => after)).toMatchObject([
    { failingSince: at(6) },
    { attempt: 2, claimedUntil: null, responseStatus: 500 }
  ])
  expect(settle(at(25), "delivered")[0]?.after).toMatchObject({ failingSince: null })
})

it("ended deliveries go that are old or too many, never pending ones", () => {
  const ended = [1, 2, 3].map((seconds) => delivery({ status: "delivered", at: at(seconds) }))
  const purge = (keep: number, before: number, limit = 10) =>
    purgeDeliveries(organisationId, { before: at(before), keep, limit })(
      found(hook, [...ended, delivery({ at: at(0) })])
    )
  expect(purge(10, 2).writes.map(({ id }) => id)).toEqual([ended[0]?.id])
  expect(purge(1, 0).writes.map(({ id }) => id)).toEqual([ended[1]?.id, ended[0]?.id])
  expect(purge(0, 9, 2).answer).toBe(2)
})

/**
 * Claims, results and the end of deliveries in a `WebhookQueue`.
 */
import { EventRepository, WebhookQueue, webhookRecords } from "@solar-sites/core"
import { DateTime, Effect, Option, Redacted } from "effect"
import { aWebhookDelivery } from "../fixtures.ts"
import { assert } from "./Assert.ts"
import type { ConformanceCase } from "./Conformance.ts"
import { inBothZones } from "./TimeZone.ts"
import {
  claimAt,
  currentWebhook,
  deliveriesOf,
  dispatchAll,
  type Hook,
  second,
  settleAt,
  single,
  twinWebhooks,
  type WebhookPorts,
  webhookEvents,
  webhookInOwnOrganisation,
  webhookWithDeliveries,
  writeEvents
} from "./WebhookSetup.ts"

/** The given webhooks with due deliveries, in the returned order. */
const dueAt = Effect.fnUntraced(function* (hooks: ReadonlyArray<Hook>, now: DateTime.Utc) {
  const found = yield* (yield* WebhookQueue).findDue({ now, limit: 100_000 })
  return found.flatMap(({ organisationId, webhookId }) => {
    const index = hooks.findIndex((one) => one.organisationId === organisationId && one.webhook.id === webhookId)
    return index < 0 ? [] : [index]
  })
})

export const webhookClaimCases: ReadonlyArray<ConformanceCase<WebhookPorts>> = [
  {
    name: "claims due deliveries with their events and secrets, none in two claims",
    check: Effect.gen(function* () {
      const hook = yield* webhookWithDeliveries(3)
      const { organisationId, secret, webhook } = hook
      const limits = { now: second(0), claimedUntil: second(30), limit: 2 }
      const { claim } = yield* WebhookQueue
      assert.deepEqual(yield* claimAt(hook, second(-1)), [], "not due yet")
      const claimed = yield* Effect.all(
        [0, 1, 2].map(() => claim(organisationId, webhook.id, limits)),
        { concurrency: "unbounded" }
      )
      const found = claimed.flatMap((one) => Option.match(one, { onNone: () => [], onSome: (some) => some.deliveries }))
      assert.equal(new Set(found.map(({ delivery }) => delivery.id)).size, 3, "all")
      assert.equal(found.length, 3, "each once")
      for (const one of claimed) {
        if (Option.isNone(one)) continue
        assert.ok(one.value.deliveries.length <= 2, "at most as many as the limit")
        assert.equal(one.value.url, webhook.url)
        assert.deepEqual(one.value.secrets.map(Redacted.value), [secret])
      }
      const page = { after: null, limit: 10, order: "asc" } as const
      const { items } = yield* (yield* EventRepository).list(organisationId, { type: ["site.created"] }, page)
      for (const { createdAt, delivery, event } of found) {
        assert.deepEqual(
          event,
          items.find(({ id }) => id === delivery.eventId)
        )
        assert.deepEqual(createdAt, second(0))
      }
      assert.deepEqual(yield* claimAt(hook, second(29)), [], "claimed until 30")
      assert.equal((yield* claimAt(hook, second(30))).length, 3, "due again when the claim ends")
    })
  },
  ...inBothZones({
    name: "stores the result of an attempt under its claim alone",
    check: Effect.gen(function* () {
      const hook = yield* webhookWithDeliveries(1)
      const lost = single(yield* claimAt(hook, second(0)))
      const held = single(yield* claimAt(hook, second(30)))
      yield* settleAt(hook, lost, second(31), "failed")
      assert.equal(single(yield* deliveriesOf(hook)).status, "pending", "an ended claim stores nothing")
      yield* settleAt(hook, held, second(40))
      const waiting = single(yield* deliveriesOf(hook))
      const error = "The receiver answered 500."
      const result = { attempt: 1, responseStatus: 500, error, at: second(40), nextAttemptAt: second(100) }
      assert.deepEqual({ ...waiting }, { ...held.delivery, ...result })
      assert.deepEqual((yield* currentWebhook(hook))?.lastDelivery, waiting)
      yield* settleAt(hook, held, second(41), "delivered")
      assert.deepEqual(single(yield* deliveriesOf(hook)), waiting, "a settled claim stores nothing more")
      assert.deepEqual(yield* claimAt(hook, second(99)), [])
      yield* settleAt(hook, single(yield* claimAt(hook, second(100))), second(101), "delivered")
      const delivered = single(yield* deliveriesOf(hook))
      assert.deepEqual(
        [delivered.status, delivered.attempt, delivered.responseStatus, delivered.error, delivered.nextAttemptAt],
        ["delivered", 2, 204, null, null]
      )
      assert.deepEqual(yield* claimAt(hook, second(9_999)), [], "it has ended")
    })
  }),
  {
    name: "claims one delivery at a time while attempts fail",
    check: Effect.gen(function* () {
      const hook = yield* webhookWithDeliveries(4)
      const [first, ...rest] = yield* claimAt(hook, second(0), 2)
      assert.ok(first !== undefined && rest.length === 1)
      yield* settleAt(hook, first, second(1))
      const next = single(yield* claimAt(hook, second(2)))
      yield* settleAt(hook, next, second(3), "delivered")
      assert.equal((yield* claimAt(hook, second(4))).length, 1, "the rest: two are claimed or wait")
      const other = yield* webhookWithDeliveries(2)
      assert.equal((yield* claimAt(other, second(0))).length, 2, "a webhook without failures")
    })
  },
  {
    name: "disables a webhook that failed for long enough, with one event, and ends its deliveries",
    check: Effect.gen(function* () {
      const { disableFailing, insertDelivery, update } = yield* webhookRecords
      const hook = yield* webhookWithDeliveries(3)
      const { organisationId, webhook } = hook
      const fail = Effect.fnUntraced(function* (at: number) {
        const [one] = yield* claimAt(hook, second(at), 1)
        assert.ok(one !== undefined)
        yield* settleAt(hook, one, second(at))
      })
      const disable = (since: number) =>
        disableFailing(organisationId, { at: second(400), failingSince: second(since) })
      assert.deepEqual(yield* disable(9_999), [], "no failure")
      yield* fail(0)
      yield* fail(100)
      assert.deepEqual(yield* disable(-1), [], "failing since 0")
      yield* settleAt(hook, single(yield* claimAt(hook, second(101), 1)), second(101), "delivered")
      assert.deepEqual(yield* disable(9_999), [], "a success ends the failures")
      yield* fail(200)
      yield* insertDelivery(organisationId, webhook.id, aWebhookDelivery({ at: second(201), status: "failed" }))
      yield* insertDelivery(organisationId, webhook.id, aWebhookDelivery({ at: second(202) }))
      assert.deepEqual(yield* disable(9_999), [], "a successful test ends them too")
      yield* fail(300)
      yield* fail(360)
      assert.deepEqual(yield* disable(299), [], "failing since 300")
      const both = yield* Effect.all([disable(300), disable(300)], { concurrency: 2 })
      assert.deepEqual(both.flat(), [webhook.id], "one of two instances disables it")
      const disabled = yield* currentWebhook(hook)
      const { lastDelivery, ...members } = { ...disabled }
      assert.ok(lastDelivery !== null)
      const { lastDelivery: _, ...before } = { ...webhook }
      assert.deepEqual(members, { ...before, enabled: false, updatedAt: second(400), version: 2 })
      const events = (yield* webhookEvents(organisationId)).filter(({ type }) => type === "webhook.disabled")
      assert.deepEqual(single(events).changes, { enabled: { from: true, to: false } })
      assert.deepEqual(yield* claimAt(hook, second(9_999)), [], "nothing is sent to a disabled webhook")
      const statuses = (yield* deliveriesOf(hook)).map(({ status }) => status)
      assert.deepEqual(statuses.sort(), ["delivered", "delivered", "failed", "failed", "failed"], "due deliveries fail")
      yield* update(organisationId, webhook.id, { enabled: true }, { at: second(400) })
      yield* writeEvents(organisationId, 1)
      yield* dispatchAll(organisationId, second(401))
      const [one] = yield* claimAt(hook, second(402))
      assert.ok(one !== undefined)
      assert.deepEqual(yield* disable(9_999), [], "enabled again, it has no failures")
    })
  },
  {
    name: "finds webhooks with due deliveries, the longest unclaimed first",
    check: Effect.gen(function* () {
      const hooks = [
        yield* webhookWithDeliveries(2, second(5)),
        yield* webhookWithDeliveries(1, second(1)),
        yield* webhookWithDeliveries(1, second(900)),
        yield* webhookInOwnOrganisation()
      ]
      const [first, early] = hooks
      assert.ok(first !== undefined && early !== undefined)
      assert.deepEqual(yield* dueAt(hooks, second(0)), [])
      assert.deepEqual(yield* dueAt(hooks, second(4)), [1])
      assert.deepEqual(yield* dueAt(hooks, second(5)), [0, 1])
      yield* claimAt(first, second(5), 1)
      assert.deepEqual(yield* dueAt(hooks, second(6)), [1, 0], "claimed last, found last")
      assert.equal((yield* (yield* WebhookQueue).findDue({ now: second(6), limit: 1 })).length, 1)
      const oldest = yield* (yield* WebhookQueue).oldestPending
      assert.ok(Option.isSome(oldest) && DateTime.isLessThanOrEqualTo(oldest.value, second(1)), "the oldest pending")
    })
  },
  {
    name: "claims and settles deliveries of one organisation alone",
    check: Effect.gen(function* () {
      const { retry } = yield* webhookRecords
      const hooks = yield* twinWebhooks()
      const [own, other] = hooks
      const delivery = aWebhookDelivery()
      for (const { organisationId, webhook } of hooks) {
        yield* (yield* webhookRecords).insertDelivery(organisationId, webhook.id, delivery)
        yield* retry(organisationId, webhook.id, delivery.id, second(0))
      }
      const claimed = single(yield* claimAt(own, second(0)))
      const others = single(yield* claimAt(other, second(0)))
      assert.equal(claimed.event, null, "a test has no event in the log")
      yield* settleAt(own, claimed, second(1), "failed")
      assert.equal(single(yield* deliveriesOf(own)).status, "failed")
      assert.deepEqual(single(yield* deliveriesOf(other)), others.delivery, "the delivery of the other stays")
      yield* settleAt(other, others, second(1), "delivered")
      yield* (yield* WebhookQueue).purge(own.organisationId, { before: second(2), keep: 0, limit: 10 })
      assert.deepEqual(yield* deliveriesOf(own), [])
      assert.equal(single(yield* deliveriesOf(other)).status, "delivered", "the delivery of the other is kept")
    })
  },
  {
    name: "purges deliveries that ended long ago or are too many, never pending ones",
    check: Effect.gen(function* () {
      const { findOrganisations, purge } = yield* WebhookQueue
      const hook = yield* webhookWithDeliveries(1)
      const { organisationId, webhook } = hook
      const insert = (at: number) =>
        Effect.flatMap(webhookRecords, ({ insertDelivery }) =>
          insertDelivery(organisationId, webhook.id, aWebhookDelivery({ at: second(at) }))
        )
      for (const at of [10, 20, 30, 40]) yield* insert(at)
      const kept = Effect.map(deliveriesOf(hook), (all) => all.filter(({ status }) => status !== "pending").length)
      assert.equal(yield* purge(organisationId, { before: second(10), keep: 4, limit: 10 }), 0)
      assert.equal(yield* purge(organisationId, { before: second(11), keep: 4, limit: 10 }), 1)
      assert.equal(yield* purge(organisationId, { before: second(0), keep: 1, limit: 1 }), 1, "at most the limit")
      assert.equal(yield* purge(organisationId, { before: second(0), keep: 1, limit: 10 }), 1)
      assert.equal(yield* kept, 1)
      yield* purge(organisationId, { before: second(9_999), keep: 0, limit: 10 })
      assert.equal(yield* kept, 0)
      assert.equal((yield* deliveriesOf(hook)).length, 1, "the pending one")
      const found = yield* findOrganisations({ after: null, limit: 100_000 })
      assert.ok(found.includes(organisationId), "the organisation has a webhook")
      assert.deepEqual(yield* findOrganisations({ after: found.at(-1) ?? null, limit: 10 }), [])
    })
  }
]

/**
 * The way from events to deliveries in a `WebhookQueue`.
 */

import { EventRepository, WebhookQueue, webhookRecords } from "@solar-sites/core"
import { Effect } from "effect"
import { assert } from "./Assert.ts"
import type { ConformanceCase } from "./Conformance.ts"
import { siteMethods } from "./Methods.ts"
import { insertOrganisation, insertSite } from "./Setup.ts"
import {
  deliveriesOf,
  dispatchAll,
  type Hook,
  insertWebhook,
  second,
  twinWebhooks,
  type WebhookPorts,
  webhookInOwnOrganisation,
  writeEvents
} from "./WebhookSetup.ts"

const typesOf = Effect.fnUntraced(function* (hook: Hook) {
  return (yield* deliveriesOf(hook)).map(({ type }) => type)
})

/** True when the organisation is behind. */
const isBehind = Effect.fnUntraced(function* ({ organisationId }: Hook) {
  const found = yield* (yield* WebhookQueue).findUndispatched(100_000)
  assert.equal(new Set(found).size, found.length, "each organisation once")
  return found.includes(organisationId)
})

export const webhookDispatchCases: ReadonlyArray<ConformanceCase<WebhookPorts>> = [
  {
    name: "creates a pending delivery of each matching event, once per webhook",
    check: Effect.gen(function* () {
      const organisationId = yield* insertOrganisation()
      const byType = yield* insertWebhook(organisationId, { events: ["site.deleted", "portfolio.created"] })
      const bySubject = yield* insertWebhook(organisationId, { events: ["site.*"] })
      const all = yield* insertWebhook(organisationId, { events: ["*"] })
      const site = yield* insertSite(organisationId)
      yield* (yield* siteMethods).delete(organisationId, site.id)
      assert.equal(yield* isBehind(all), true)
      yield* dispatchAll(organisationId, second(0))
      assert.equal(yield* isBehind(all), false)
      yield* dispatchAll(organisationId, second(1))
      assert.deepEqual(yield* typesOf(byType), ["site.deleted"])
      assert.deepEqual(yield* typesOf(bySubject), ["site.created", "site.deleted"])
      assert.deepEqual(yield* typesOf(all), ["site.created", "site.deleted"])
      const [created] = yield* deliveriesOf(bySubject)
      const page = { after: null, limit: 10, order: "asc" } as const
      const { items } = yield* (yield* EventRepository).list(organisationId, { type: ["site.created"] }, page)
      assert.deepEqual(
        { ...created },
        {
          id: created?.id,
          eventId: items[0]?.id,
          type: "site.created",
          attempt: 0,
          status: "pending",
          responseStatus: null,
          error: null,
          at: second(0),
          nextAttemptAt: second(0)
        }
      )
    })
  },
  {
    name: "begins after the last event, when a webhook is new and when it is enabled again",
    check: Effect.gen(function* () {
      const { update } = yield* webhookRecords
      const organisationId = yield* insertOrganisation()
      yield* writeEvents(organisationId, 2)
      const hook = yield* insertWebhook(organisationId, { events: ["site.*"] })
      assert.equal((yield* deliveriesOf(hook)).length, 0)
      yield* dispatchAll(organisationId, second(0))
      assert.deepEqual(yield* typesOf(hook), [], "earlier events are not sent")
      yield* writeEvents(organisationId, 1)
      yield* dispatchAll(organisationId, second(0))
      assert.deepEqual(yield* typesOf(hook), ["site.created"])
      yield* update(organisationId, hook.webhook.id, { enabled: false }, { at: second(1) })
      yield* writeEvents(organisationId, 2)
      assert.equal(yield* isBehind(hook), false, "a disabled webhook is not behind")
      yield* dispatchAll(organisationId, second(2))
      yield* update(organisationId, hook.webhook.id, { enabled: true }, { at: second(3) })
      yield* dispatchAll(organisationId, second(4))
      assert.deepEqual(yield* typesOf(hook), ["site.created"], "events of the disabled time are not sent")
      yield* writeEvents(organisationId, 1)
      yield* dispatchAll(organisationId, second(5))
      assert.deepEqual(yield* typesOf(hook), ["site.created", "site.created"])
    })
  },
  {
    name: "sends the events of other webhooks, and not the creation of a webhook to itself",
    check: Effect.gen(function* () {
      const organisationId = yield* insertOrganisation()
      const first = yield* insertWebhook(organisationId, { events: ["webhook.*"] })
      const second_ = yield* insertWebhook(organisationId, { events: ["webhook.*"] })
      yield* dispatchAll(organisationId, second(0))
      assert.deepEqual(yield* typesOf(first), ["webhook.created"])
      assert.deepEqual(yield* typesOf(second_), [])
    })
  },
  {
    name: "reads at most as many events as the limit, and goes on from there",
    check: Effect.gen(function* () {
      const { dispatch } = yield* WebhookQueue
      const hook = yield* webhookInOwnOrganisation({ events: ["site.*"] })
      yield* writeEvents(hook.organisationId, 5)
      yield* dispatch(hook.organisationId, { at: second(0), limit: 3 })
      const first = yield* deliveriesOf(hook)
      assert.ok(first.length <= 3, `at most 3 deliveries, not ${first.length}`)
      assert.equal(yield* isBehind(hook), true, "not at the end")
      yield* dispatchAll(hook.organisationId, second(0))
      const all = yield* deliveriesOf(hook)
      assert.equal(new Set(all.map(({ eventId }) => eventId)).size, 5, "each event")
      assert.equal(all.length, 5, "each event once")
    })
  },
  {
    name: "delivers each event once to a webhook while instances dispatch and events are written",
    check: Effect.gen(function* () {
      const { dispatch } = yield* WebhookQueue
      const hook = yield* webhookInOwnOrganisation({ events: ["site.*"] })
      const { organisationId } = hook
      const dispatching = Effect.forEach(
        Array.from({ length: 10 }),
        () => dispatch(organisationId, { at: second(0), limit: 2 }),
        { discard: true }
      )
      const writing = Effect.forEach([0, 1, 2, 3], () => writeEvents(organisationId, 5), { concurrency: "unbounded" })
      yield* Effect.all([writing, dispatching, dispatching, dispatching], { concurrency: "unbounded", discard: true })
      yield* dispatchAll(organisationId, second(1))
      const all = yield* deliveriesOf(hook)
      assert.equal(new Set(all.map(({ eventId }) => eventId)).size, 20, "no event is lost")
      assert.equal(all.length, 20, "no event is delivered twice")
    })
  },
  {
    name: "dispatches the events of one organisation to its own webhooks alone",
    check: Effect.gen(function* () {
      const [own, other] = yield* twinWebhooks()
      yield* writeEvents(own.organisationId, 1)
      yield* writeEvents(other.organisationId, 2)
      assert.equal(yield* isBehind(other), true)
      yield* dispatchAll(own.organisationId, second(0))
      assert.equal(yield* isBehind(own), false)
      assert.equal(yield* isBehind(other), true, "the other one is still behind")
      assert.equal((yield* typesOf(own)).filter((type) => type === "site.created").length, 1)
      assert.deepEqual(yield* deliveriesOf(other), [])
      yield* dispatchAll(other.organisationId, second(0))
      assert.deepEqual(yield* typesOf(other), ["site.created", "site.created"])
    })
  }
]

/**
 * Promises of every `WebhookQueue`. Organisations, sites and the
 * event log are part of the setup.
 */
import { WebhookQueue, webhookRecords } from "@solar-sites/core"
import { DateTime, Effect, Option } from "effect"
import { aWebhookDelivery } from "../fixtures.ts"
import { assert } from "./Assert.ts"
import { atOnceCases, type Comparison, comparedCases } from "./Comparison.ts"
import type { ConformanceCase, ConformanceSuite } from "./Conformance.ts"
import { webhookQueueFailures } from "./FailureConformance.ts"
import { createOrganisations, createSite, createSites } from "./RandomSteps.ts"
import { deleteSite, updateSite } from "./SiteSteps.ts"
import { webhooksOf } from "./WebhookReference.ts"
import {
  deliveriesOf,
  dispatchAll,
  type Hook,
  second,
  type WebhookPorts,
  webhookInOwnOrganisation,
  writeEvents
} from "./WebhookSetup.ts"
import {
  attemptDeliveries,
  changeWebhook,
  claimDeliveries,
  createWebhook,
  createWebhooks,
  dispatchEvent,
  findWork,
  purgeDeliveries,
  retryDelivery,
  settleDelivery,
  storeDelivery
} from "./WebhookSteps.ts"

const counts = { portfolios: 0, sites: 3, documents: 0, webhooks: 2 }

/** Two organisations have webhooks of the same ids. */
const twins: Comparison<WebhookPorts> = {
  counts,
  before: (world) => [
    ...createOrganisations(world),
    ...createSites(world),
    ...createWebhooks(world),
    storeDelivery(world),
    storeDelivery(world)
  ],
  stateOf: webhooksOf
}

const met: Comparison<WebhookPorts> = {
  ...twins,
  counts: { ...counts, owners: 1 },
  before: (world) => [
    ...twins.before(world),
    ...[updateSite, updateSite, updateSite, updateSite].map((random) => random(world)),
    ...[storeDelivery, attemptDeliveries, claimDeliveries, dispatchEvent].map((random) => random(world))
  ]
}

const insertDelivery = Effect.fnUntraced(function* (
  { organisationId, webhook }: Hook,
  overrides: Parameters<typeof aWebhookDelivery>[0]
) {
  return yield* (yield* webhookRecords).insertDelivery(organisationId, webhook.id, aWebhookDelivery(overrides))
})

const furtherCases: ReadonlyArray<ConformanceCase<WebhookPorts>> = [
  {
    name: "gives each due delivery to one of several claims at once, and to a later one when the claim has ended",
    check: Effect.gen(function* () {
      const { claim } = yield* WebhookQueue
      const { organisationId, webhook } = yield* webhookInOwnOrganisation()
      yield* writeEvents(organisationId, 3)
      yield* dispatchAll(organisationId, second(0))
      const claimAt = (from: number, limit: number) =>
        Effect.map(
          claim(organisationId, webhook.id, { now: second(from), claimedUntil: second(from + 30), limit }),
          Option.match({ onNone: () => [], onSome: ({ deliveries }) => deliveries })
        )
      const claimed = yield* Effect.all(
        [0, 1, 2].map(() => claimAt(0, 2)),
        { concurrency: "unbounded" }
      )
      assert.equal(new Set(claimed.flat().map(({ delivery }) => delivery.id)).size, 3, "all")
      assert.equal(claimed.flat().length, 3, "each once")
      for (const deliveries of claimed) assert.ok(deliveries.length <= 2, "at most as many as the limit")
      assert.deepEqual(yield* claimAt(29, 10), [], "claimed until 30")
      assert.equal((yield* claimAt(30, 10)).length, 3, "due again when the claim ends")
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
    name: "finds the oldest pending delivery of enabled webhooks, where a disabled one has the same id",
    check: Effect.gen(function* () {
      // Before the deliveries of all other cases.
      const instant = (year: number) => DateTime.makeUnsafe(`${year}-01-01T00:00:00Z`)
      const pending = (year: number) =>
        ({ status: "pending", at: instant(year), nextAttemptAt: second(9_999) }) as const
      const disabled = yield* webhookInOwnOrganisation({ enabled: false })
      const enabled = yield* webhookInOwnOrganisation({ id: disabled.webhook.id })
      yield* insertDelivery(disabled, pending(1980))
      yield* insertDelivery(enabled, pending(1990))
      assert.deepEqual(yield* (yield* WebhookQueue).oldestPending, Option.some(instant(1990)))
      const { delete: remove } = yield* webhookRecords
      yield* remove(enabled.organisationId, enabled.webhook.id, { at: second(0) })
    })
  }
]

export const webhookQueueConformance: ConformanceSuite<WebhookPorts> = {
  port: "WebhookQueue",
  failures: webhookQueueFailures,
  cases: [
    ...comparedCases(
      "dispatches, claims, settles and purges deliveries as core does, in organisations with the same ids",
      twins,
      [
        createWebhook,
        changeWebhook,
        changeWebhook,
        createSite,
        updateSite,
        updateSite,
        deleteSite,
        dispatchEvent,
        dispatchEvent,
        dispatchEvent,
        storeDelivery,
        storeDelivery,
        retryDelivery,
        claimDeliveries,
        claimDeliveries,
        attemptDeliveries,
        attemptDeliveries,
        attemptDeliveries,
        settleDelivery,
        settleDelivery,
        purgeDeliveries,
        findWork,
        findWork
      ]
    ),
    ...atOnceCases("dispatches, claims and settles deliveries at once as in some order", met, [
      dispatchEvent,
      claimDeliveries,
      claimDeliveries,
      settleDelivery,
      settleDelivery,
      retryDelivery,
      changeWebhook
    ]),
    ...furtherCases
  ]
}

/**
 * Isolation in a `WebhookQueue`: two organisations have webhooks and deliveries with the same ids,
 * in different states.
 */
import { WebhookQueue, webhookRecords } from "@solar-sites/core"
import { DateTime, Effect, Option } from "effect"
import { aWebhookDelivery } from "../fixtures.ts"
import { assert } from "./Assert.ts"
import type { ConformanceCase } from "./Conformance.ts"
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
  webhookInOwnOrganisation,
  writeEvents
} from "./WebhookSetup.ts"

const insertDelivery = Effect.fnUntraced(function* (
  { organisationId, webhook }: Hook,
  overrides: Parameters<typeof aWebhookDelivery>[0]
) {
  return yield* (yield* webhookRecords).insertDelivery(organisationId, webhook.id, aWebhookDelivery(overrides))
})

export const webhookIsolationCases: ReadonlyArray<ConformanceCase<WebhookPorts>> = [
  {
    name: "disables a failing webhook, and not that of another organisation with the same id",
    check: Effect.gen(function* () {
      const [own, other] = yield* twinWebhooks()
      const { disableFailing } = yield* webhookRecords
      yield* writeEvents(other.organisationId, 1)
      yield* dispatchAll(other.organisationId, second(0))
      yield* settleAt(other, single(yield* claimAt(other, second(0))), second(1))
      const disable = ({ organisationId }: Hook) =>
        disableFailing(organisationId, { at: second(9), failingSince: second(9) })
      assert.deepEqual(yield* disable(own), [], "only the other one fails")
      assert.equal((yield* currentWebhook(own))?.enabled, true, "it stays enabled")
      assert.deepEqual(yield* disable(other), [other.webhook.id], "the failing one")
      assert.equal((yield* currentWebhook(own))?.enabled, true, "the one that does not fail stays enabled")
    })
  },
  {
    name: "purges by the age and number of an organisation's own deliveries",
    check: Effect.gen(function* () {
      const { purge } = yield* WebhookQueue
      const [own, other] = yield* twinWebhooks()
      const kept = yield* insertDelivery(own, { at: second(50) })
      yield* insertDelivery(other, { id: kept.id, at: second(1) })
      yield* insertDelivery(other, { at: second(40) })
      const limits = { keep: 1, limit: 10 }
      assert.equal(yield* purge(own.organisationId, { ...limits, before: second(0) }), 0, "one is not too many")
      assert.equal(yield* purge(own.organisationId, { ...limits, before: second(2) }), 0, "it ended later")
      assert.deepEqual(yield* deliveriesOf(own), [kept])
      assert.equal((yield* deliveriesOf(other)).length, 2, "another organisation is purged by itself")
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

/**
 * Commands about deliveries of webhooks.
 */
import { DeliveryNotFound, WebhookNotFound, webhookRecords } from "@solar-sites/core"
import { Effect } from "effect"
import { assert } from "../../src/conformance/Assert.ts"
import type { ConformanceCase } from "../../src/conformance/Conformance.ts"
import { expectPages, refused } from "../../src/conformance/Expectations.ts"
import { deliveriesOf, type Hook, second, webhookInOwnOrganisation } from "../../src/conformance/WebhookSetup.ts"
import { aWebhook, aWebhookDelivery } from "../../src/fixtures.ts"
import type { AccessPorts } from "./AccessPorts.ts"
import { claimAt, currentWebhook, settleAt, single, twinWebhooks, webhookWithDeliveries } from "./WebhookSetup.ts"

const insertDelivery = Effect.fnUntraced(function* (
  { organisationId, webhook }: Hook,
  overrides?: Parameters<typeof aWebhookDelivery>[0]
) {
  return yield* (yield* webhookRecords).insertDelivery(organisationId, webhook.id, aWebhookDelivery(overrides))
})

export const webhookDeliveryCases: ReadonlyArray<ConformanceCase<AccessPorts>> = [
  {
    name: "returns deliveries as inserted, in pages, and the last one with the webhook",
    check: Effect.gen(function* () {
      const { listDeliveries } = yield* webhookRecords
      const hook = yield* webhookInOwnOrganisation()
      const failed = { status: "failed", responseStatus: null, error: "The receiver did not answer." } as const
      const stored = [
        yield* insertDelivery(hook, { at: second(3), ...failed }),
        yield* insertDelivery(hook, { at: second(9) }),
        yield* insertDelivery(hook, { at: second(1) })
      ]
      assert.deepEqual({ ...stored[0] }, { ...aWebhookDelivery({ ...stored[0] }) })
      yield* expectPages((page) => listDeliveries(hook.organisationId, hook.webhook.id, page), stored)
      assert.deepEqual((yield* currentWebhook(hook))?.lastDelivery, stored[1], "the latest attempt")
      const unknown = { ...hook, webhook: aWebhook() }
      yield* refused(insertDelivery(unknown), WebhookNotFound, "a delivery of an unknown webhook")
    })
  },
  {
    name: "removes the deliveries of a deleted webhook, and not those of another organisation",
    check: Effect.gen(function* () {
      const repository = yield* webhookRecords
      const [own, other] = yield* twinWebhooks()
      const delivery = aWebhookDelivery()
      for (const hook of [own, other]) yield* insertDelivery(hook, { ...delivery, type: `of ${hook.organisationId}` })
      const [kept] = yield* deliveriesOf(other)
      assert.equal(single(yield* deliveriesOf(own)).type, `of ${own.organisationId}`)
      const retried = yield* repository.retry(own.organisationId, own.webhook.id, delivery.id, second(0))
      assert.equal(retried.status, "pending")
      assert.deepEqual(yield* deliveriesOf(other), [kept], "the delivery of the other stays")
      assert.deepEqual((yield* currentWebhook(other))?.lastDelivery, kept)
      yield* repository.delete(own.organisationId, own.webhook.id, { at: second(0) })
      assert.deepEqual(yield* deliveriesOf(own), [])
      assert.deepEqual(yield* deliveriesOf(other), [kept])
    })
  },
  {
    name: "makes a delivery due again in any status, unless it is claimed",
    check: Effect.gen(function* () {
      const { retry } = yield* webhookRecords
      const hook = yield* webhookWithDeliveries(1)
      const { organisationId, webhook } = hook
      const { id } = single(yield* deliveriesOf(hook))
      const [claimed] = yield* claimAt(hook, second(1))
      assert.ok(claimed !== undefined)
      assert.deepEqual(yield* retry(organisationId, webhook.id, id, second(2)), claimed.delivery, "claimed until 31")
      assert.deepEqual(yield* claimAt(hook, second(3)), [], "not in two claims")
      for (const [index, status] of (["delivered", "failed", "pending"] as const).entries()) {
        const at = second(100 * index + 40)
        const retried = yield* retry(organisationId, webhook.id, id, at)
        assert.deepEqual({ ...retried }, { ...single(yield* deliveriesOf(hook)), status: "pending", nextAttemptAt: at })
        const again = single(yield* claimAt(hook, at))
        yield* settleAt(hook, again, at, status)
      }
      yield* refused(retry(organisationId, webhook.id, aWebhookDelivery().id, second(0)), DeliveryNotFound, "unknown")
      const other = yield* webhookInOwnOrganisation()
      const foreign = retry(other.organisationId, other.webhook.id, id, second(0))
      yield* refused(foreign, DeliveryNotFound, "a delivery of another webhook")
      yield* refused(retry(organisationId, other.webhook.id, id, second(0)), WebhookNotFound, "a foreign webhook")
    })
  }
]
